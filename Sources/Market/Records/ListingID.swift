package import Keys

/// The id of a listing through all its edits: its author and its slot.
package struct ListingID: Hashable, Sendable {
    package let author: Address
    package let slot: Bytes32

    package init(author: Address, slot: Bytes32) {
        (self.author, self.slot) = (author, slot)
    }

    /// Reads `<author's address>.<64 hexadecimal digits>`, or a link with it.
    ///
    /// Returns `nil` for any other text.
    package init?(text: String) {
        let parts = Self.withoutScheme(text).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let author = try? Address(text: parts[0]),
            let slot = Bytes32(hex: "0x" + parts[1])
        else { return nil }
        self.init(author: author, slot: slot)
    }

    /// Returns the id in a link such as `stoa:listing/0x….…`, and any other text as it is.
    package static func withoutScheme(_ text: String) -> String {
        let scheme = "stoa:listing/"
        guard text.lowercased().hasPrefix(scheme) else { return text }
        return String(text.dropFirst(scheme.count))
    }

    package var key: RecordKey { RecordKey(author: author, kind: .listing, slot: slot) }
}

extension ListingID: CustomStringConvertible {
    package var description: String { author.checksummed + "." + slot.digits }
}
