package import Keys
package import Texts

/// The state of one sale of some kind: the fold of its events.
///
/// Each kind of sale implements it in its own folder and is registered in ``SaleFolds``. An
/// implementation is pure and checks every event against the contract's rules, so that a missing or
/// forged one is detected.
package protocol SaleState: Hashable, Sendable {
    associatedtype Event: SaleEvent
    associatedtype Status: SaleStatus

    static var kind: SaleKind { get }

    /// Creates the state from the event that creates the sale.
    init(listing event: Event, contract: ContractReference, fees: MarketFees) throws(SaleFault)

    /// Applies the next event of this sale.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    mutating func apply(_ event: Event) throws(SaleFault)

    /// Returns the move that an event reports, which was just applied; `nil` if there is none.
    func move(reportedBy event: Event) -> ReportedMove?

    /// Returns the money that the contract took with an event that has just been applied, and thus
    /// owes.
    func taken(with event: Event) -> Amount

    var reference: SaleReference { get }
    var status: Status { get }
    /// When the present status was reached.
    var since: ChainTime { get }
    var listedAt: EventPosition { get }
    /// The position of the last event applied.
    var position: EventPosition { get }

    var seller: Address { get }
    var buyer: Address? { get }
    /// The accounts that acted in this sale and so paid for a transaction.
    var parties: [Address] { get }
    /// The accounts that the sale concerns: the parties, and those who may act in it.
    var concerned: [Address] { get }
    /// The account that made the last move that changed the possible moves.
    var lastMover: Address { get }
    func role(of account: Address) -> SaleRole
    /// Returns whether the account is one of the ``parties``.
    func isParty(_ account: Address) -> Bool
    /// Returns the accounts to notify of an event that was just applied, each with its role in it:
    /// the event may have ended that role.
    func audience(of event: Event) -> [Address: SaleRole]
    /// Details of the last event for the account, besides status and role, under the API's names.
    var news: [String: String] { get }

    /// The token on sale; `nil` for a kind that sells none.
    var item: Amount? { get }
    /// The hash of the item that the token represents; `nil` for a kind without tokens.
    var contentHash: Bytes32? { get }
    /// The maker of the token on sale; `nil` for a kind that sells none.
    var maker: Address? { get }
    var price: Amount { get }
    var currency: Currency { get }
    /// The highest bid; `nil` if nobody has bid, or if the kind has no bids.
    var highestBid: Amount? { get }
    /// The minimum bid that is accepted next; `nil` if none is, or if the kind has no bids.
    var minimalBid: Amount? { get }
    /// The number of bids so far; `nil` if the kind has no bids.
    var bidCount: UInt64? { get }
    /// How many can still buy; `nil` if the kind sells one thing to one account.
    var freeSeats: UInt64? { get }
    /// How many have bought: of a sale with rounds, all who did in any of them.
    var buyerCount: UInt64 { get }
    /// How those who bought have rated it on the chain; `nil` if the kind has no such ratings.
    var buyerRating: BuyerRating? { get }
    /// Returns the part of an account in what is offered last, such as `seller`; `nil` for none.
    func part(of account: Address) -> String?
    /// The hash of the seller's commitment.
    var promise: Bytes32 { get }
    /// The slot of the listing that the sale was made for; `nil` if its kind does not keep it.
    var slot: Bytes32? { get }
    /// The terms, as a listing states them; `nil` if listings cannot state terms of this kind.
    var offer: SaleTerms? { get }

    /// The outcome that its parties can review; `nil` for a sale that is not reviewable.
    var outcome: Review.Outcome? { get }
    /// Returns whether an account can review the sale, and the facts that a review must state.
    func reviewRight(of account: Address) -> ReviewRight
    /// As ``reviewRight(of:)``, for one round of a sale with rounds.
    func reviewRight(of account: Address, round: UInt64) -> ReviewRight
    /// Returns the rounds that an account can review now, in order.
    func reviewableRounds(of account: Address) -> [UInt64]
    /// The credit of each party; `nil` while the sale runs.
    var payouts: [SalePayout]? { get }
    /// The account's money in the sale, by currency, which it will get back or lose by its moves.
    ///
    /// It does not include amounts that the sale has already credited.
    func locked(for account: Address) -> [Currency: Amount]
    /// The names of the statuses in which sold items ended, in order.
    ///
    /// One at the most, unless the kind of sale can begin again.
    var endings: [String] { get }
    /// The sides against which a dispute ended, if there was one; empty if they agreed, or while it
    /// runs.
    var disputeLosers: [Address] { get }
    /// Returns whether an account of those ``concerned`` still has something to expect or to do.
    func isUnfinished(for account: Address) -> Bool

    /// Returns whether somebody can buy at `time`.
    func isOffered(at time: ChainTime) -> Bool
    /// Whether the seller has handed the item over, so that the file of a digital work is the
    /// buyer's.
    var isHandedOver: Bool { get }
    /// Returns whether the seller has to send the item at `time`, and so needs the buyer's address.
    func needsAddress(at time: ChainTime) -> Bool

    /// Returns the next deadline after `time`, with its consequence.
    func deadline(after time: ChainTime) -> SaleDeadline?

    /// When the next deadline got its present time.
    var deadlineSetAt: ChainTime { get }

    /// Returns the moves that are open to anyone at `time` because a deadline has passed, and by
    /// which `account` gains.
    ///
    /// The outcome of such a move does not depend on the account, so a node can make it without
    /// asking.
    func dueMoves(for account: Address, at time: ChainTime) -> [DueMove]
}

extension SaleState {
    /// Checks that an event is of this sale, and after the last one applied.
    func requireNext(_ event: Event) throws(SaleFault) {
        guard event.sale == reference.id else { throw .otherSale }
        guard event.position > position, event.position.time >= position.time else {
            throw .outOfOrder
        }
    }

    /// When the present status was reached: the kind moves no deadline afterwards.
    package var deadlineSetAt: ChainTime { since }

    /// None: the kind has no deadline that opens a move.
    package func dueMoves(for account: Address, at time: ChainTime) -> [DueMove] { [] }

    /// None: the kind knows no disputes.
    package var disputeLosers: [Address] { [] }

    package var slot: Bytes32? { nil }
    /// `nil`: the kind has no bids.
    package var highestBid: Amount? { nil }
    /// `nil`: the kind has no bids.
    package var minimalBid: Amount? { nil }
    /// `nil`: the kind has no bids.
    package var bidCount: UInt64? { nil }
    /// `nil`: the kind sells one thing to one account.
    package var freeSeats: UInt64? { nil }
    /// There is one round.
    package func reviewRight(of account: Address, round: UInt64) -> ReviewRight {
        round == 0 ? reviewRight(of: account) : .never(.notAParty)
    }

    /// There is one round.
    package func reviewableRounds(of account: Address) -> [UInt64] {
        if case .now = reviewRight(of: account) { [0] } else { [] }
    }

    /// `nil`: the kind has no ratings on the chain.
    package var buyerRating: BuyerRating? { nil }

    /// Its role: the kind offers one thing once.
    package func part(of account: Address) -> String? {
        let role = role(of: account)
        return role == .stranger ? nil : role.name
    }

    /// One at most: the kind sells one thing to one account.
    package var buyerCount: UInt64 { buyer == nil ? 0 : 1 }

    /// Everybody whom the sale concerns, also the account that made the move.
    package func audience(of event: Event) -> [Address: SaleRole] { roles(of: concerned) }

    func roles(of accounts: [Address]) -> [Address: SaleRole] {
        Dictionary(accounts.map { ($0, role(of: $0)) }) { first, _ in first }
    }

    /// Nothing: status and role say it all.
    package var news: [String: String] { [:] }

    /// Nothing: the kind keeps no money of anybody.
    package func locked(for account: Address) -> [Currency: Amount] { [:] }

    package func isParty(_ account: Address) -> Bool { parties.contains(account) }

    /// Once it is paid: it ends with its payment.
    package var isHandedOver: Bool { !endings.isEmpty }

    /// For 30 days after a sale that ended with its payment: the contract does not see the
    /// delivery.
    package func needsAddress(at time: ChainTime) -> Bool {
        !endings.isEmpty && time <= since.advanced(by: SaleList.reviewTime)
    }

    package var endings: [String] {
        status.stage == .over && buyer != nil ? [status.name] : []
    }

    /// `true` until the sale is over.
    package func isUnfinished(for account: Address) -> Bool { status.stage != .over }

    package func move(reportedBy event: Event) -> ReportedMove? { event.move }

    /// Returns the first deadline after `time` that ends the offer; `nil` if only a move ends the
    /// offer.
    package func offerEnd(after time: ChainTime) -> ChainTime? {
        var time = time
        while let next = deadline(after: time)?.at {
            guard isOffered(at: next) else { return next }
            time = next
        }
        return nil
    }

    /// The right of a sale with two sides, which can review each other once it is over.
    package func reviewRight(of account: Address) -> ReviewRight {
        guard status.stage == .over else {
            let canBeParty = account == seller || account == buyer || buyer == nil
            return canBeParty ? .later : .never(.notAParty)
        }
        return rightOnceOver(of: account)
    }

    /// The right of a sale with two sides that is over.
    func rightOnceOver(of account: Address) -> ReviewRight {
        guard let outcome else { return .never(.notReviewable) }
        guard account == seller || account == buyer else { return .never(.notAParty) }
        return .now(ReviewedDeal(outcome: outcome, price: price, currency: currency))
    }
}

/// Whether an account can review a sale.
package enum ReviewRight: Hashable, Sendable {
    case now(ReviewedDeal)
    /// Not yet, as far as the chain shows.
    case later
    case never(ChainDoubt)
}

/// A review's statement about its sale, besides the opinion.
package struct ReviewedDeal: Hashable, Sendable {
    package let outcome: Review.Outcome
    package let price: Amount
    package let currency: Currency

    package init(outcome: Review.Outcome, price: Amount, currency: Currency) {
        (self.outcome, self.price, self.currency) = (outcome, price, currency)
    }
}

/// The role of an account in a sale; a kind can add its own.
package struct SaleRole: Hashable, Sendable {
    package static let seller = SaleRole(name: "seller")
    package static let buyer = SaleRole(name: "buyer")
    /// No role.
    package static let stranger = SaleRole(name: "stranger")

    package let name: String

    package init(name: String) { self.name = name }
}

/// The next time at which the possible moves change without a transaction.
package struct SaleDeadline: Hashable, Sendable {
    package let at: ChainTime
    /// The change at that time, for people.
    package let consequence: [Sentence]

    package init(at: ChainTime, consequence: [Sentence]) {
        (self.at, self.consequence) = (at, consequence)
    }
}

/// A part of a payout, and the account that can withdraw it.
package struct SalePayout: Hashable, Sendable {
    /// Such as `seller`, `platform` or `maker`.
    package let role: String
    package let account: Address
    package let amount: Amount

    package init(role: String, account: Address, amount: Amount) {
        (self.role, self.account, self.amount) = (role, account, amount)
    }
}

/// The ratings of a sale by those who bought, on the chain.
package struct BuyerRating: Hashable, Sendable {
    /// From 0 to 100; `nil` if nobody has rated.
    package let average: UInt64?
    package let raters: UInt64

    package init(average: UInt64?, raters: UInt64) {
        (self.average, self.raters) = (average, raters)
    }
}
