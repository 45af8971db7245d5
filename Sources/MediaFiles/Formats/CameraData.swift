/// The camera's data of a picture, of which a decoder gets only how the picture is turned.
///
/// The rest is left out: directories that lead to each other keep a decoder busy for half a minute.
///
/// Source: TIFF 6.0, section 2; CIPA DC-008 (Exif), section 4.6.4.
enum CameraData {
    /// The bytes before the data in a JPEG picture, and with some programs in others too.
    static let prefix = Array("Exif\0\0".utf8)
    /// The maximum number of entries that are looked at; cameras write some dozens.
    private static let entriesMax = 512
    private static let orientationTag = 0x0112

    /// Returns data that says only how the picture is turned.
    ///
    /// - Parameter bytes: The camera's data, with or without ``prefix``.
    /// - Returns: 26 bytes, without ``prefix``; `nil` if the picture is upright, or `bytes` say
    ///   nothing of that.
    static func orientation(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let all = bytes.starts(with: prefix) ? bytes.dropFirst(prefix.count) : bytes
        let data = FileBytes(bytes: Array(all.prefix(MetadataLimits.cameraBytesMax)))
        let isLittle = data.has("II*\0", at: 0)
        guard isLittle || data.has("MM\0*", at: 0) else { return nil }
        func number(_ count: Int, at place: Int) -> Int? {
            isLittle ? data.little(count, at: place) : data.big(count, at: place)
        }
        guard let start = number(4, at: 4), let count = number(2, at: start) else { return nil }
        for entry in 0..<min(count, entriesMax) {
            let place = start + 2 + 12 * entry
            guard number(2, at: place) == orientationTag else { continue }
            // A number of two bytes; some programs write one of four.
            let byteCount = number(2, at: place + 2) == 4 ? 4 : 2
            guard let turned = number(byteCount, at: place + 8), (2...8).contains(turned) else {
                return nil
            }
            return directory(turned: UInt8(turned))
        }
        return nil
    }

    /// A header, and a directory with one entry: a tag, a type, a count and a value.
    private static func directory(turned: UInt8) -> [UInt8] {
        Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0]
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, turned, 0, 0, 0]
            + [0, 0, 0, 0]
    }
}
