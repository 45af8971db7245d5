import Ethereum
package import Keys
package import Market
package import Storage

/// A seller's agreement, given with the acceptance of an offer, that this node lists the item again
/// as before if the offer's buyer does not pay.
///
/// It is kept from when the acceptance is done until the item is paid or listed again, or its
/// seller does anything else with it.
///
/// Source: Docs/api.md, section 4.8.
package struct ReopeningConsent: Hashable, Sendable {
    /// The sale that is reserved for the buyer.
    package let sale: SaleReference
    /// The sale before it, whose price and terms come back.
    package let first: SaleID
    /// The slot of the listing.
    package let slot: Bytes32
    /// Until when the buyer can pay.
    package let until: ChainTime
    /// The most that listing it again may cost in fees, in wei: as much as was agreed to for the
    /// acceptance.
    package let feeMax: Amount

    package init(
        sale: SaleReference,
        first: SaleID,
        slot: Bytes32,
        until: ChainTime,
        feeMax: Amount
    ) {
        (self.sale, self.first, self.slot) = (sale, first, slot)
        (self.until, self.feeMax) = (until, feeMax)
    }

    /// The idempotency key of an attempt to list it again.
    ///
    /// It is longer than a key that a caller of the API can choose, so it is never one of those.
    package func key(attempt: Int) -> String {
        "reopening \(sale.contract.chain) \(sale.id) \(until.seconds) \(attempt)"
    }
}

extension ReopeningConsent: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(sale.contract.chain.number)
        writer.write(sale.contract.address)
        writer.write(sale.id.hash)
        writer.write(first.hash)
        writer.write(slot)
        writer.write(until.seconds)
        writer.write(feeMax)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let contract = ContractReference(
            chain: ChainID(try reader.number()),
            address: try reader.address()
        )
        self.init(
            sale: SaleReference(contract: contract, id: SaleID(try reader.hash())),
            first: SaleID(try reader.hash()),
            slot: try reader.hash(),
            until: ChainTime(seconds: try reader.number()),
            feeMax: try reader.amount()
        )
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the consent of an account for a sale; `nil` if it has given none.
    package func reopeningConsent(
        to sale: SaleID,
        by account: Address
    ) throws -> ReopeningConsent? {
        let place = CompositeKey(account, sale.hash)
        return try get(ReopeningConsents.self, place).map { try ReopeningConsent(storedBytes: $0) }
    }

    /// Returns all consents of an account.
    package func reopeningConsents(by account: Address) throws -> [ReopeningConsent] {
        try entries(ReopeningConsents.self, .prefix(account))
            .map { try ReopeningConsent(storedBytes: $0.value) }
    }
}

extension WriteTransaction {
    package mutating func putReopeningConsent(
        _ consent: ReopeningConsent,
        by account: Address
    ) throws {
        let place = CompositeKey(account, consent.sale.id.hash)
        try put(ReopeningConsents.self, place, consent.storedBytes)
    }

    /// Ends the consent of an account for a sale.
    ///
    /// - Returns: Whether it had given one.
    @discardableResult
    package mutating func endReopeningConsent(to sale: SaleID, by account: Address) throws -> Bool {
        try remove(ReopeningConsents.self, CompositeKey(account, sale.hash))
    }
}
