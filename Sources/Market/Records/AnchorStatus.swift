package import Keys

/// The status of a record by its chain's state.
///
/// Accounts are free, so limits per author bound nothing; a cost on the chain does.
///
/// Source: Docs/protocol.md, section 4.5.
package enum AnchorStatus: Hashable, Sendable {
    /// The chain shows that it cost something: kept for its kind's lifetime, and reconciled.
    case anchored
    /// No sale supports it: kept for seven days within a byte budget, gossiped, not reconciled.
    case open
    /// The chain does not show enough yet: kept aside for 24 hours, and validated again at each
    /// head.
    case held(ChainDoubt)
    /// The chain shows that it is wrong: refused, and no peer is at fault.
    case refused(ChainDoubt)

    /// Returns the status of a record by the final state of this node's own chain view.
    package static func of(
        _ record: SignedRecord,
        on view: some ChainView
    ) -> AnchorStatus {
        let anchorStatus = byContent(of: record, on: view)
        guard anchorStatus == .anchored,
            record.unstampedByteCount > AnchoredAllowance.byteCountMax(of: record.kind)
        else { return anchorStatus }
        return .refused(.overAllowance)
    }

    private static func byContent(
        of record: SignedRecord,
        on view: some ChainView
    ) -> AnchorStatus {
        switch record.content {
        case .profile, .device, .withdrawal(.profile), .withdrawal(.device):
            view.isParty(record.author) ? .anchored : .open
        case .withdrawal(.listing), .laterListing: .open
        // No sale pays for an opinion about others.
        case .curation, .withdrawal(.curation): .open
        case .withdrawal(.anchoredListing(let withdrawal)):
            of(withdrawal, slot: record.slot, author: record.author, on: view)
        case .listing(let listing):
            of(listing, slot: record.slot, author: record.author, on: view)
        case .review(let review):
            of(review, author: record.author, on: view)
        }
    }

    /// Whether the record is open, if neither content nor signature can change that.
    ///
    /// A flood of profiles of free accounts, or of withdrawals of listings without a sale, is thus
    /// stopped before any signature is checked.
    package static func isOpen(
        _ draft: RecordDraft,
        of kind: RecordKind,
        on view: some ChainView
    ) -> Bool {
        switch kind {
        case .profile, .device: !view.isParty(draft.author)
        case .listing: draft.payload.isEmpty
        case .review: false
        case .curation: true
        }
    }

    private static func of(
        _ listing: Listing,
        slot: Bytes32,
        author: Address,
        on view: some ChainView
    ) -> AnchorStatus {
        guard let reference = listing.sale else { return .open }
        return of(reference, kind: listing.terms.kind, on: view) { sale in
            guard sale.seller == author else { return .refused(.notAParty) }
            return switch listing.fulfilment(slot: slot, sale: sale) {
            case .asPromised, .changed: .anchored
            case .notPromised: .refused(.otherPromise)
            }
        }
    }

    private static func of(
        _ withdrawal: ListingWithdrawal,
        slot: Bytes32,
        author: Address,
        on view: some ChainView
    ) -> AnchorStatus {
        let kind = withdrawal.promise.terms.kind
        return of(withdrawal.sale, kind: kind, on: view) { sale in
            guard sale.seller == author else { return .refused(.notAParty) }
            let isPromised = withdrawal.promise.isMade(in: slot, for: sale)
            return isPromised ? .anchored : .refused(.otherPromise)
        }
    }

    private static func of(
        _ review: Review,
        author: Address,
        on view: some ChainView
    ) -> AnchorStatus {
        of(review.sale, kind: nil, on: view) { sale in
            switch sale.reviewRight(of: author, round: review.round) {
            case .later: .held(.saleNotOver)
            case .never(let doubt): .refused(doubt)
            case .now(let deal): review.deal == deal ? .anchored : .refused(.otherOutcome)
            }
        }
    }

    /// Returns the status of a record that names a sale, once the chain shows the sale.
    ///
    /// A record of a contract whose kind of sale this program does not know stays open: a newer
    /// program can anchor it.
    ///
    /// - Parameters:
    ///   - reference: The sale.
    ///   - kind: The kind of sale that the record states; `nil` if there is none.
    ///   - view: This node's view of the chain.
    ///   - compare: Compares the record with the sale.
    /// - Returns: The status.
    private static func of(
        _ reference: SaleReference,
        kind: SaleKind?,
        on view: some ChainView,
        compare: (Sale) -> AnchorStatus
    ) -> AnchorStatus {
        switch view.role(of: reference.contract) {
        case .foreign: return .refused(.foreignContract)
        case .unknownKind(let sold):
            // A review states no kind: as an open record, anybody could write one without a sale.
            guard let kind else { return .refused(.foreignContract) }
            return kind == sold ? .open : .refused(.otherPromise)
        case .sells(let sold):
            guard kind == nil || kind == sold else { return .refused(.otherPromise) }
            return view.sale(reference).map(compare) ?? .held(.saleNotSeen)
        }
    }
}

/// Why the chain does not support a record.
package enum ChainDoubt: String, Sendable {
    /// The contract is not one of this market's.
    case foreignContract
    /// The final blocks do not show the sale.
    case saleNotSeen
    case saleNotOver
    /// The author is neither the sale's seller nor its buyer, nor a student who evaluated the
    /// course.
    case notAParty
    /// The sale was made for another commitment.
    case otherPromise
    /// The review does not state the sale's actual outcome and price.
    case otherOutcome
    /// The sale had no buyer, or its seller declined it, so there is nothing to review.
    case notReviewable
    /// It exceeds the bytes that a sale pays for, see ``AnchoredAllowance``.
    case overAllowance
}

/// How a listing relates to the commitment on the chain.
package enum Fulfilment: Hashable, Sendable {
    case asPromised
    /// The commitment is proven, and the listing now differs in these fields.
    case changed(Set<PayloadField>)
    /// The hash of the sale is that of something else.
    case notPromised
}

extension Listing {
    /// Compares the listing with the commitment of its sale.
    ///
    /// The listing itself must state the committed terms, because people see its price and search
    /// by it.
    package func fulfilment(slot: Bytes32, sale: Sale) -> Fulfilment {
        let promise = anchor?.promised ?? ListingCommitment(of: self, slot: slot)
        guard promise.isMade(in: slot, for: sale), terms == promise.terms else {
            return .notPromised
        }
        let changes = promise.changes(in: self)
        return changes.isEmpty ? .asPromised : .changed(changes)
    }
}

extension ListingCommitment {
    /// Whether the sale carries the hash of this commitment, for a listing in `slot`.
    ///
    /// The terms are committed too: a commitment whose terms differ from the contract's does not
    /// match. Nor does one whose identifier differs from that of the token on sale: its hash is in
    /// the token, and a seller could otherwise sell a token of something else.
    package func isMade(in slot: Bytes32, for sale: Sale) -> Bool {
        let isOfItem =
            sale.state.maker.map {
                sale.state.contentHash == identifier.contentHash(madeBy: $0)
            } ?? true
        return self.slot == slot && hash == sale.state.promise && terms == sale.state.offer
            && isOfItem
    }
}
