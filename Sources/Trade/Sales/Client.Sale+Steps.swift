import Client
import Foundation
import Texts

/// The steps that a sale leaves to an account, as the API shows them.
extension Client.Sale {
    /// The facts about a sale that its own fields do not have.
    struct Remaining: Sendable {
        /// Whether its item is shipped, and its buyer has told no address.
        var needsAddress = false
        /// Whether its item is shipped, and its buyer has told the seller no address.
        var awaitsAddress = false
        /// The operation that still sends the address to the seller; `nil` if there is none.
        var sending: String?
        /// Whether its item is a file.
        var isDigital = false
        /// Whether its item is for the buyer to collect.
        var isPickedUp = false
        /// Whether it ended with its payment, and the seller has not said that the item can be
        /// collected.
        var isToBeReady = false
        /// Whether it has credited the account something that is not collected.
        var isCollectable = false
        /// Whether the account can review it and has not done so.
        var isReviewable = false
    }

    /// The steps, in the order in which they are shown; each is named as its code.
    fileprivate enum StepCode: Int {
        case address, sending, awaitAddress, agree, send, handOver, ready, pickUp, release, work,
            confirm
        case dispute, claim, takeBack, propose, giveBack, takeDispute, rule, executeDefault
        case end, raise, begin, cancelRound, leaveRound, evaluate, settle, collect, review
    }

    /// The phases in which the buyer has the item, or has its key.
    private static let handedOver: Set = ["complete", "sold", "transferred"]

    /// Fills in the part of an account, what it can do next, and whose turn it is.
    ///
    /// - Parameters:
    ///   - account: The account's address; `nil` for a caller without one.
    ///   - remaining: The rest that the sale leaves the account to do.
    mutating func noteSteps(for account: String?, _ remaining: Remaining) {
        own = account.flatMap { part(of: $0) }
        let found = own == nil ? [] : account.map { steps(for: $0, remaining) } ?? []
        nextSteps = found.sorted { $0.0.rawValue < $1.0.rawValue }.map(\.1)
        noteTurn(of: account)
        if remaining.isPickedUp { noteHandOver() }
    }

    /// The account with which the one that asks deals; `nil` if there is none, or if there are
    /// several.
    var otherAccount: String? {
        guard own == "seller" || own == "teacher" else { return seller }
        // As long as others can bid, the highest bidder has not bought.
        return auction == nil || stage == "over" ? buyer : nil
    }

    /// Returns the part of an account, by its name in the API; `nil` for none.
    private func part(of account: String) -> String? {
        if account == seller { return course == nil ? "seller" : "teacher" }
        if account == escrow?.terms.arbiter { return "arbiter" }
        if course?.rounds.contains(where: { $0.own != nil }) == true { return "student" }
        guard let auction, auction.ownBid != nil else { return account == buyer ? "buyer" : nil }
        let isHighest = auction.highestBid?.bidder == account
        guard stage == "over" else { return isHighest ? "highest_bidder" : "outbid" }
        return isHighest ? "buyer" : "lost"
    }

    private func steps(for account: String, _ remaining: Remaining) -> [(StepCode, NextStep)] {
        var steps: [(StepCode, NextStep)] = []
        func add(_ step: StepCode) { steps.append((step, NextStep(step, until: deadline?.at))) }
        let isSeller = account == seller
        let waitsForItem = phase == "paid" || isToBeSent == true
        if own == "buyer", remaining.needsAddress, waitsForItem {
            add(remaining.sending == nil ? .address : .sending)
            steps[0].1.operation = remaining.sending
        }
        if own == "seller", remaining.awaitsAddress, waitsForItem { add(.awaitAddress) }
        steps += actions.filter(isInTime).compactMap { move($0, of: account, remaining) }
        if let auction, let bid = auction.ownBid, auction.isOpen,
            auction.highestBid?.bidder != account, let least = auction.minimalBid
        {
            var raise = NextStep(.raise, until: deadline?.at)
            raise.bid = Money(amount: least, currency: price.currency)
            steps.append((.raise, raise))
            if bid != "0" { add(.collect) }
        }
        if own == "buyer", remaining.isDigital, Self.handedOver.contains(phase) { add(.work) }
        guard stage == "over" else { return steps }
        if isSeller, isToBeSent == true { add(.send) }
        if remaining.isToBeReady { add(isSeller ? .ready : .pickUp) }
        if remaining.isCollectable { add(.collect) }
        if remaining.isReviewable { add(.review) }
        return steps
    }

    /// Returns the step of a move that is open; `nil` for one that nobody needs, such as a
    /// withdrawal.
    private func move(
        _ action: SaleAction,
        of account: String,
        _ remaining: Remaining
    ) -> (StepCode, NextStep)? {
        guard var step = step(of: action, isSeller: account == seller) else { return nil }
        // Who has answered a proposal by an own one waits for the other side.
        let proposer = history.last { $0.move == "propose" }?.by
        guard step != .agree || proposer != account else { return nil }
        if step == .send, remaining.isPickedUp { step = .handOver }
        var next = NextStep(step, until: deadline?.at)
        switch step {
        // A proposal ends before the sale's next deadline, or after it.
        case .agree: (next.share, next.until) = (action.share, action.until ?? deadline?.at)
        case .leaveRound: next.round = action.round
        default: break
        }
        return (step, next)
    }

    /// Whether the node still starts a move: one that closes soon might be mined too late.
    private func isInTime(_ action: SaleAction) -> Bool {
        guard let until = action.until, let asOf else { return true }
        return until > asOf.addingTimeInterval(Self.closingSeconds)
    }

    /// How long before its end a node starts no move, in seconds.
    private static let closingSeconds = 600.0

    private func step(of action: SaleAction, isSeller: Bool) -> StepCode? {
        let isSent = phase == "transferred"
        return switch action.move {
        case "transfer": action.releasesWork ? .release : .send
        // The contract accepts both before the item is sent, but a buyer should make neither then.
        case "confirm": isSent ? .confirm : nil
        case "dispute": isSent ? .dispute : nil
        case "claim": .claim
        case "refund" where course != nil: .leaveRound
        case "refund" where isSeller: phase == "disputed" ? .giveBack : nil
        case "refund": .takeBack
        case "agree": .agree
        case "propose": hasProposal || phase != "disputed" ? nil : .propose
        case "take": .takeDispute
        case "rule": .rule
        case "execute_default": .executeDefault
        case "end": .end
        case "begin": .begin
        case "cancel": isSeller ? nil : .cancelRound
        case "evaluate": .evaluate
        case "settle": .settle
        default: nil
        }
    }

    /// Whether a proposal is open: with the other side's one agrees, with one's own one waits.
    private var hasProposal: Bool {
        actions.contains { ["agree", "withdraw_proposal"].contains($0.move) }
    }
}

extension Client.Sale.StepCode {
    fileprivate var words: Sentence { Sentence("next.\(self)") }
}

extension Client.Sale.NextStep {
    fileprivate init(_ step: Client.Sale.StepCode, until: Date?) {
        self.init(words: step.words, until: until)
    }
}

extension SaleAction {
    /// Whether the move releases the key of a digital work.
    var releasesWork: Bool { consequence.contains { $0.code == "escrow.release" } }
}
