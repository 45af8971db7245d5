/// A picture or a document that the account added to its node, which keeps it until it is removed.
public struct AddedMedia: Codable, Hashable, Sendable, DescribedType {
    public var id: String
    /// The media type; `nil` if the node has lost the file.
    public var type: String?
    /// In bytes.
    public var length: UInt64
    /// Whether something that the account has published names it: a listing, a review or its
    /// profile.
    public var isNamed: Bool

    package static let fields: [String: FieldFacts] = [
        "id": .hash,
        "type": .mediaType.about("Omitted if the node has lost the file."),
        "length": .byteCount,
        "isNamed": FieldFacts(true).about("Whether a published record of the account names it."),
    ]

    public init(id: String, type: String?, length: UInt64, isNamed: Bool) {
        (self.id, self.type, self.length, self.isNamed) = (id, type, length, isNamed)
    }
}
