import Keys

/// What a record withdraws.
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

    /// Returns what an empty payload of this kind withdraws; `nil` if the kind has no withdrawal.
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
        var wire = WireListing()
        wire.withdrawal = withdrawal.wire
        return CanonicalMessage.bytes(of: wire)
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

    init(wire: WireWithdrawal) throws(RuleFault) {
        guard wire.chainID > 0 else { throw .missing(.chain) }
        guard let contract = Address(wire.contract), contract != .zero,
            let sale = Bytes32(wire.sale)
        else { throw .malformed(.withdrawal) }
        self.sale = SaleReference(
            contract: ContractReference(chain: ChainID(wire.chainID), address: contract),
            id: SaleID(sale)
        )
        promise = try ListingCommitment(wire: wire.promise)
    }

    var wire: WireWithdrawal {
        var wire = WireWithdrawal()
        wire.chainID = sale.contract.chain.number
        wire.contract = sale.contract.address.data
        wire.sale = sale.id.hash.data
        wire.promise = promise.wire
        return wire
    }
}
