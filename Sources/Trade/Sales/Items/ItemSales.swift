import Answers
import Client
import Ethereum
import Foundation
import Market
import Setup

/// The common part of the services of auctions and direct sales.
enum ItemSales {
    /// How long before a deadline a move is no longer started, because it might be mined too late.
    static let margin = Duration.seconds(600)

    /// The gas of a listing; a deployment's costliest one took 220,000.
    static let listingGas: UInt64 = 400_000
    /// The gas of a purchase or a bid; a deployment's costliest one took 172,000.
    static let purchaseGas: UInt64 = 250_000

    static let goodsWarning = Sentence("item.unprotected")

    /// How long an offer stands if its seller does not say.
    static let offerWindow = Duration.days(30)

    /// Returns until when an offer stands that is listed again: one second less, so that its sale
    /// has another id than every earlier one with the same price.
    ///
    /// An offer that ends soon or has ended stands as long as a new one.
    static func offerEnd(after end: ChainTime, at time: ChainTime) -> ChainTime {
        end > time.advanced(by: margin)
            ? ChainTime(seconds: end.seconds - 1) : time.advanced(by: offerWindow)
    }

    /// Returns the moves of an outlook, as the API shows them.
    static func actions<Move, Effect>(
        _ outlook: MoveOutlook<Move, Effect>,
        name: (Move) -> String
    ) -> [SaleAction] {
        outlook.moves.map {
            SaleAction(move: name($0.move), until: $0.before?.date, consequence: $0.consequence)
        }
    }

    /// Checks a request for a move, as far as this needs no sale.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - moves: The names of all moves that are made so.
    ///   - purchase: The name of the move that is made by a purchase.
    ///   - haveDetails: Whether the moves of the kind can have `details`.
    /// - Throws: ``Refusal`` with `malformed_value`.
    static func check(
        _ request: Client.SaleMove,
        moves: [String],
        purchase: String,
        haveDetails: Bool = false
    ) throws(Refusal) {
        guard request.move != purchase else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.purchaseIsNoMove", ["move": purchase.quoted]),
                field: "move"
            )
        }
        guard moves.contains(request.move) else {
            let names = moves.joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.notAMove", ["move": request.move.quoted, "moves": names]),
                field: "move"
            )
        }
        guard request.share == nil, request.until == nil else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.noShareNoTime"),
                field: request.share == nil ? "until" : "share"
            )
        }
        if !haveDetails { try request.requireNoDetails() }
    }

    /// The moves in the order in which an account most likely wants one: those that go on with a
    /// sale, then those that end it otherwise.
    private static let likeliest = [
        "transfer", "confirm", "claim", "begin", "evaluate", "settle", "end", "repeat", "agree",
        "take", "rule", "propose", "dispute", "refund", "leave", "execute_default", "relist",
        "decline", "withdraw_proposal", "cancel", "abort",
    ]

    /// Returns the names of moves, the likeliest first, and behind all of them `last`.
    static func likeliestFirst(_ moves: [String], last: String? = nil) -> [String] {
        let place = { (move: String) in
            let place = likeliest.firstIndex(of: move) ?? likeliest.count
            return move == last ? likeliest.count + 1 : place
        }
        return moves.sorted { (place($0), $0) < (place($1), $1) }
    }

    /// Returns the move of this name, if it is open to the account.
    ///
    /// - Throws: ``Refusal``: `not_your_sale`, `move_not_open`, and those of `requireAnswerable`.
    static func open<Move, Effect>(
        _ wanted: String,
        in outlook: MoveOutlook<Move, Effect>,
        of state: any SaleState,
        at time: ChainTime,
        name: (Move) -> String,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> OpenMove<Move> {
        guard let open = outlook.moves.first(where: { name($0.move) == wanted }) else {
            guard outlook.role != .stranger || state.status.stage == .over else {
                throw Refusal(.notYourSale, Sentence("refusal.noPartyNow", ["move": wanted]))
            }
            throw .notOpen(wanted, of: state, instead: outlook.moves.map { name($0.move) })
        }
        try requireAnswerable()
        try requireTime(for: open, wanted, at: time)
        return open
    }

    /// Refuses a move whose time is about to end.
    static func requireTime<Move>(
        for open: OpenMove<Move>,
        _ name: String,
        at time: ChainTime
    ) throws(Refusal) {
        guard let end = open.before, time.advanced(by: margin) >= end else { return }
        throw Refusal(.moveNotOpen, Sentence("refusal.closesSoon", ["move": name]))
    }
}

extension Client.SaleMove {
    /// The given fields that only moves in a course have.
    var details: [String] {
        [
            ("round", round != nil), ("points", points != nil), ("price", price != nil),
            ("course", course != nil),
        ].filter(\.1).map(\.0)
    }

    /// Refuses what only moves in a course have.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    func requireNoDetails() throws(Refusal) {
        guard let field = details.first else { return }
        throw Refusal(
            .malformedValue,
            Sentence("refusal.takesNo", ["field": field.quoted]),
            field: field
        )
    }
}

extension Refusal {
    /// Refuses a move that the state of the sale does not allow.
    ///
    /// - Parameters:
    ///   - move: The name of the move.
    ///   - state: The sale.
    ///   - opening: When it opens; `nil` if that is not known.
    ///   - others: The moves that are open to the account.
    ///   - last: The move of these that it should not make now.
    /// - Returns: The refusal, with `move_not_open`.
    static func notOpen(
        _ move: String,
        of state: any SaleState,
        at opening: ChainTime? = nil,
        instead others: [String],
        last: String? = nil
    ) -> Refusal {
        var reason = [Sentence("refusal.notOpen", ["move": move]), .state(of: state)]
        if let opening { reason.append(Sentence("refusal.opensAt", ["time": opening.value])) }
        let moves = ItemSales.likeliestFirst(others, last: last).joined(separator: ", ")
        reason.append(
            others.isEmpty
                ? Sentence("refusal.nothingOpen")
                : Sentence("refusal.openToYou", ["moves": moves])
        )
        return Refusal(.moveNotOpen, reason, field: "move")
    }
}

extension Sentence {
    /// Says how far a sale is.
    static func state(of sale: any SaleState) -> Sentence {
        Sentence("preview.phase", ["phase": "phase.\(sale.status.name)"])
    }
}
