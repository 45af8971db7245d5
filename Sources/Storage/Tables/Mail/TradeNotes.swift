package import Keys

/// Which of an account's messages are about a trade, such as delivery addresses and notes, by their
/// subjects.
///
/// The account, then the subject: a hash of the sender and of the sale or listing, and for a note
/// of the recipient and the transaction.
package enum TradeNotes: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = MessageKey
    package static let name = "trade-notes"
}

/// The keys of those in ``TradeNotes`` that are offers to buy at other prices.
package enum PriceOfferNotes: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = EmptyValue
    package static let name = "price-offer-notes"
}

extension WriteTransaction {
    /// Forgets which messages of a conversation were such notes.
    mutating func removeTradeNotes(in conversation: Bytes32, of account: Address) throws {
        for (key, message) in try entries(TradeNotes.self, .prefix(account))
        where message.conversation == conversation {
            try remove(TradeNotes.self, key)
            try remove(PriceOfferNotes.self, key)
        }
    }
}
