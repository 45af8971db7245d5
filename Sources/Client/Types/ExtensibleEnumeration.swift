/// An enumeration of texts in the API to which a newer node may add cases.
///
/// A text that this version does not know decodes as ``other(_:)`` and is encoded unchanged.
public protocol ExtensibleEnumeration: RawRepresentable<String>, Codable, Hashable, Sendable,
    CustomStringConvertible
{
    /// Every case but ``other(_:)``, in the order in which they are documented.
    static var known: [Self] { get }

    static func other(_ text: String) -> Self
}

extension ExtensibleEnumeration {
    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue)
    }

    public var description: String { rawValue }
}
