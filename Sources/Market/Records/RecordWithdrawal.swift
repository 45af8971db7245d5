import Keys

/// The record that a withdrawal withdraws.
///
/// A review cannot be withdrawn.
package enum RecordWithdrawal: Hashable, Sendable {
    case profile
    case device
    case curation
    /// A listing without a sale on the chain; the payload is empty.
    case listing
    /// A listing with a sale.
    case anchoredListing(ListingWithdrawal)

    package var kind: RecordKind {
        switch self {
        case .profile: .profile
        case .device: .device
        case .curation: .curation
        case .listing, .anchoredListing: .listing
        }
    }

    /// Returns the record that an empty payload of this kind withdraws; `nil` if the kind has no
    /// withdrawal.
    init?(_ kind: RecordKind) {
        switch kind {
        case .profile: self = .profile
        case .device: self = .device
        case .curation: self = .curation
        case .listing: self = .listing
        case .review: return nil
        }
    }

    /// The payload's canonical bytes.
    var payload: [UInt8] {
        guard case .anchoredListing(let withdrawal) = self else { return [] }
        var wire = WireWriter()
        wire.member(Listing.wireWithdrawal, withdrawal.wire)
        return wire.bytes
    }

    func summary(slot: Bytes32) -> String {
        switch self {
        case .profile: "Withdraw profile"
        case .curation: "Withdraw list \(slot)"
        case .device: "Revoke device \(slot)"
        case .listing, .anchoredListing: "Withdraw listing \(slot)"
        }
    }
}

/// Withdraws a listing that has a sale; it names the sale and the commitment.
///
/// A node that never saw the listing can verify on its own chain view that it was the author's: the
/// author is the seller, and the sale carries the hash of a commitment with this record's slot.
/// Every node therefore validates the withdrawal alike, whenever it joined.
///
/// Source: Docs/protocol.md, sections 4.5 and 5.4.
package struct ListingWithdrawal: Hashable, Sendable {
    package let sale: SaleReference
    package let promise: ListingCommitment

    package init(sale: SaleReference, promise: ListingCommitment) {
        (self.sale, self.promise) = (sale, promise)
    }

    static let wireSchema = WireSchema(
        .uint64,
        .bytes,
        .bytes,
        .message(ListingCommitment.wireSchema)
    )

    init(wire: WireFields) throws(RuleFault) {
        guard wire.number(1) > 0 else { throw .missing(.chain) }
        guard let contract = Address(wire.bytes(2)), contract != .zero,
            let sale = Bytes32(wire.bytes(3))
        else { throw .malformed(.withdrawal) }
        self.sale = SaleReference(
            contract: ContractReference(chain: ChainID(wire.number(1)), address: contract),
            id: SaleID(sale)
        )
        promise = try ListingCommitment(wire: wire.message(4))
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, sale.contract.chain.number)
        wire.write(2, sale.contract.address.bytes)
        wire.write(3, sale.id.hash.bytes)
        wire.member(4, promise.wire)
        return wire.bytes
    }
}
