import Client
package import Keys

/// A position in a list that is returned in pages, newest first: after the entry that it names.
///
/// It stays valid when entries are added or move, because later entries come before it.
package struct PageCursor: Hashable, Sendable {
    /// The order of the list, greatest first, such as a block and a position in it.
    package let major: UInt64
    package let minor: UInt64
    /// Orders entries that are otherwise equal.
    package let id: Bytes32

    package init(_ major: UInt64, _ minor: UInt64 = 0, id: Bytes32) {
        (self.major, self.minor, self.id) = (major, minor, id)
    }

    /// Reads the `after` that a caller sent.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for anything that ``text`` did not write.
    package init(entered text: String) throws(Refusal) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let major = UInt64(parts[0], radix: 16),
            let minor = UInt64(parts[1], radix: 16), let id = Bytes32(hex: parts[2])
        else { throw .badPlace }
        self.init(major, minor, id: id)
        guard self.text == text else { throw .badPlace }
    }

    /// The text that callers get as `next`.
    package var text: String {
        let numbers = [major, minor].map { String($0, radix: 16) }
        return (numbers + [String(id.hex.dropFirst(2))]).joined(separator: "-")
    }
}

extension PageCursor: Comparable {
    /// The order in which entries are shown.
    package static func < (left: PageCursor, right: PageCursor) -> Bool {
        guard (left.major, left.minor) == (right.major, right.minor) else {
            return (left.major, left.minor) > (right.major, right.minor)
        }
        return left.id < right.id
    }
}

extension Refusal {
    /// An `after` that is not the `next` of a page.
    package static let badPlace = Refusal(
        .malformedValue,
        Sentence("refusal.afterOfPage"),
        field: "after"
    )
}

extension Sequence {
    /// Returns the first `limit` elements after a position, in the order of their positions.
    ///
    /// `next` is where the next page begins; `nil` at the end.
    package func page(
        after: PageCursor?,
        limit: Int,
        by place: (Element) throws -> PageCursor
    ) rethrows -> (items: [Element], next: PageCursor?) {
        let behind = try map { (place: try place($0), element: $0) }
            .filter { entry in after.map { $0 < entry.place } ?? true }
            .sorted { $0.place < $1.place }
        let page = behind.prefix(limit)
        let next = behind.count > limit ? page.last?.place : nil
        return (page.map(\.element), next)
    }
}
