/// A picture or a document that was added to a node, as the node keeps it.
///
/// A picture differs from the uploaded file: the node encodes it again, upright and without
/// location and other camera metadata, and reduces large pictures.
public struct MediaFile: Codable, Hashable, Sendable, DescribedType {
    /// The root of the file's hash tree, by which every node finds it.
    public var id: String
    /// By its content: `image/jpeg`, `image/webp` or `application/pdf`.
    public var type: String
    /// In bytes.
    public var length: UInt64
    /// Of a picture, in pixels.
    public var width: UInt32?
    /// Of a picture, in pixels.
    public var height: UInt32?
    /// The SHA-256 of the bytes that the node received.
    public var received: String

    package static let fields: [String: FieldFacts] = [
        "id": .hash,
        "type": FieldFacts("image/jpeg").oneOf(["image/jpeg", "image/webp", "application/pdf"]),
        "length": .byteCount,
        "width": FieldFacts(640).about("In pixels."),
        "height": FieldFacts(480).about("In pixels."),
        "received": .hash.about("The SHA-256 of the bytes that the node received."),
    ]

    public init(
        id: String,
        type: String,
        length: UInt64,
        width: UInt32? = nil,
        height: UInt32? = nil,
        received: String
    ) {
        self.id = id
        self.type = type
        self.length = length
        self.width = width
        self.height = height
        self.received = received
    }
}

/// A picture or a document of a listing.
public struct ListingMedia: Codable, Hashable, Sendable, DescribedType {
    /// The ``MediaFile/id``.
    public var id: String
    /// The media type, such as `image/jpeg`; need not be sent.
    public var type: String?
    /// In bytes; need not be sent.
    public var length: UInt64?

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "type": .mediaType, "length": .byteCount,
    ]

    public init(id: String, type: String? = nil, length: UInt64? = nil) {
        self.id = id
        self.type = type
        self.length = length
    }
}

/// The bytes of a picture or a document, and their type.
public struct MediaContent: Hashable, Sendable {
    public var type: String
    public var bytes: [UInt8]
    /// The file's name, if the answer states it.
    public var name: String?
    /// The path of the sent resource (RFC 9110, section 8.7), if the answer says it.
    var location: String?

    public init(type: String, bytes: [UInt8], name: String? = nil) {
        self.type = type
        self.bytes = bytes
        self.name = name
    }
}

/// A smaller version of a picture, by the most pixels of its longer side.
public enum ThumbnailSize: Int, CaseIterable, Codable, Sendable {
    case small = 160
    case medium = 640
}

extension ListingMedia: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("length", length)
            json.field("type", type)
        }
    }
}
