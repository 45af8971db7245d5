import Keys

/// What a record takes back.
///
/// A review cannot be taken back.
package enum RecordWithdrawal: Hashable, Sendable {
    case profile
    case device
    /// A listing that no sale on the chain stands for; its payload is empty.
    case listing
    /// A listing with a sale.
    case anchoredListing(ListingWithdrawal)

    package var kind: RecordKind {
        switch self {
        case .profile: .profile
        case .device: .device
        case .listing, .anchoredListing: .listing
        }
    }

    /// What an empty payload of that kind withdraws; `nil` if the kind has no withdrawal.
    init?(_ kind: RecordKind) {
        switch kind {
        case .profile: self = .profile
        case .device: self = .device
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
        case .device: "Revoke device \(slot)"
        case .listing, .anchoredListing: "Withdraw listing \(slot)"
        }
    }
}

/// Takes back a listing that has a sale, and names both the sale and what was promised for it.
///
/// A node that never saw the listing finds on its own chain that it was the author's: the sale is
/// his, and carries the hash of a promise with this record's slot. So every node judges the
/// withdrawal alike, whenever it joined.
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
