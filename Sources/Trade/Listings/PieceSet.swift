import Client
import Keys
import Market
import Storage

/// The pieces of one thing that this node has, the first one first; a single thing has one.
struct PieceSet: Sendable {
    let pieces: [FoundListing]

    /// Returns those whose sale is on offer, whether or not its time has ended.
    func offered(on saleIndexes: SaleIndexes) -> [FoundListing] {
        pieces.filter {
            $0.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale.stage == .offered
        }
    }

    /// Returns those that can be bought at a time; while the first one can, only those at its
    /// price.
    ///
    /// Searches find and sort all of them by the price of the first one.
    func free(on saleIndexes: SaleIndexes, at time: ListingTimes) -> [FoundListing] {
        let free = pieces.filter { saleIndexes.state(of: $0.listing, at: time).end != nil }
        guard let first = free.first, case .first = first.listing.pieces else { return free }
        func price(of piece: FoundListing) -> Amount? {
            piece.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale.price
        }
        return free.filter { piece in
            piece.listing.terms.price == first.listing.terms.price
                && price(of: piece) == price(of: first)
        }
    }

    /// Returns the piece whose sale was shown to a buyer, else the one that the buyer gets next;
    /// `nil` if there is none.
    func piece(
        shown sale: String?,
        else free: [FoundListing],
        to buyer: Address
    ) -> FoundListing? {
        guard let sale else { return Self.next(for: buyer, of: free) }
        return pieces.first { $0.listing.sale?.id.description == sale.lowercased() }
    }

    /// Returns the piece that an account buys next, so that two accounts mostly get different ones;
    /// `nil` if none is free.
    ///
    /// It costs and says what the one that is shown does, which is the last one. The first one
    /// stands for all of them, and is sold last.
    static func next(for account: Address, of free: [FoundListing]) -> FoundListing? {
        guard let shown = free.last else { return nil }
        let content = ListingCommitment(of: shown.listing, slot: shown.id.slot)
        let alike = free.filter {
            $0.shownID != $0.id
                && ListingCommitment(of: $0.listing, slot: shown.id.slot) == content
        }
        guard !alike.isEmpty else { return shown }
        return alike[Int(Keccak256.hash(account.bytes).words.0 % UInt64(alike.count))]
    }
}

extension Store {
    /// Returns the pieces that a listing stands for: all of them for the first one, and for every
    /// other listing itself.
    ///
    /// A listing that is sold in another way or currency than the first one is not one of its
    /// pieces.
    nonisolated func pieces(of found: FoundListing) throws -> PieceSet {
        guard case .first(let count) = found.listing.pieces else {
            return PieceSet(pieces: [found])
        }
        let (author, first) = (found.id.author, found.id.slot)
        let others = try read { transaction in
            try (1..<min(count, PieceRole.countMax)).compactMap { number in
                let slot = PieceRole.slot(number, of: first)
                return try transaction.record(in: ListingID(author: author, slot: slot).key)
            }
        }
        return PieceSet(
            pieces: [found]
                + others.compactMap { FoundListing($0) }.filter { other in
                    other.listing.pieces == .further(of: first)
                        && other.listing.form == found.listing.form
                        && other.listing.chain == found.listing.chain
                        && other.listing.terms.kind == found.listing.terms.kind
                        && other.listing.terms.currency == found.listing.terms.currency
                }
        )
    }
}

/// A listing as people see it; if it has several pieces, the one that is bought next.
struct ListingView: Sendable {
    /// The listing that people know.
    let id: ListingID
    /// The piece whose content, sale and state are shown.
    let piece: FoundListing
    /// How many pieces there are; `nil` for a single thing.
    let pieces: Client.Listing.Pieces?

    init(
        _ set: PieceSet,
        of found: FoundListing,
        on saleIndexes: SaleIndexes,
        at time: ListingTimes
    ) {
        id = found.id
        guard case .first = found.listing.pieces else {
            (piece, pieces) = (found, nil)
            return
        }
        let free = set.free(on: saleIndexes, at: time)
        piece = free.last ?? found
        pieces = Client.Listing.Pieces(free: free.count, total: set.pieces.count)
    }
}

extension Store {
    /// Returns a listing that was read already, as people see it.
    ///
    /// If the store cannot be read, it is shown without its other pieces, and the next read fails.
    nonisolated func shown(
        _ found: FoundListing,
        on saleIndexes: SaleIndexes,
        at time: ListingTimes
    ) -> ListingView {
        let set: PieceSet
        do { set = try pieces(of: found) } catch { set = PieceSet(pieces: [found]) }
        return ListingView(set, of: found, on: saleIndexes, at: time)
    }
}
