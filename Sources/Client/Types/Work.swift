/// A digital work that the account keeps on its node, encrypted.
public struct Work: Codable, Hashable, Sendable, DescribedType {
    /// The SHA-256 of the file, in 64 hexadecimal digits: the identifier of a listing of it.
    public var identifier: String
    /// The file's name.
    public var name: String
    /// The length of the file, in bytes.
    public var length: UInt64
    /// Whether the encrypted file is on this node; if not, only its key is here yet.
    public var isHere: Bool

    package static let fields: [String: FieldFacts] = [
        "identifier": FieldFacts.identifier.example(FieldFacts.digits).pattern("^[0-9a-f]{64}$"),
        "name": "song.flac", "length": .byteCount, "isHere": true,
    ]

    public init(identifier: String, name: String, length: UInt64, isHere: Bool) {
        (self.identifier, self.name, self.length) = (identifier, name, length)
        self.isHere = isHere
    }
}

/// The name of a digital work, which its buyers get.
public struct WorkName: Codable, Hashable, Sendable, DescribedType {
    public var name: String

    package static let fields: [String: FieldFacts] = ["name": "song.flac"]

    public init(name: String) { self.name = name }
}

/// A file that was bought, checked against its identifier.
public struct BoughtWork: Hashable, Sendable {
    /// The seller's name for it; one line without a slash.
    public var name: String
    public var bytes: [UInt8]
    /// The whole id of the sale; `nil` if the node does not say it.
    public var sale: String?

    public init(name: String, bytes: [UInt8], sale: String? = nil) {
        (self.name, self.bytes, self.sale) = (name, bytes, sale)
    }
}
