package import Keys
package import Market

/// Which accounts of this node follow which lists of curators: the list's author, its slot, then
/// the account, with the time since when.
package enum CurationSubscribers: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, Address>
    package typealias Value = UInt64
    package static let name = "curation-subscribers"
}

extension WriteTransaction {
    /// Removes the account's subscriptions; other accounts' subscriptions to its lists stay.
    mutating func removeSubscriptions(of account: Address) throws {
        for key in try keys(CurationSubscribers.self, .all()) where key.second == account {
            try remove(CurationSubscribers.self, key)
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The lists that the account follows, by the order of their authors.
    ///
    /// Looks at all subscriptions of the node: its accounts have a few each.
    package func subscriptions(of account: Address) throws -> [RecordKey] {
        try keys(CurationSubscribers.self, .all()).filter { $0.second == account }.map {
            RecordKey(author: $0.first.first, kind: .curation, slot: $0.first.second)
        }
    }

    /// Whether a list is kept here for the sake of an account: its author's, or one that follows
    /// it.
    func isFollowed(_ list: RecordKey) throws -> Bool {
        if try contains(AccountEntries.self, list.author) { return true }
        let place = CompositeKey(list.author, list.slot)
        return try !keys(CurationSubscribers.self, .prefix(place), limit: 1).isEmpty
    }
}
