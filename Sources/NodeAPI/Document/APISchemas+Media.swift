import Client

extension APISchemas {
    /// An example of what adding a picture answers.
    static var mediaFile: any Codable {
        MediaFile(
            id: hash,
            type: "image/jpeg",
            length: 1,
            width: 640,
            height: 480,
            received: hash
        )
    }
}
