import Client
import Foundation

/// The steps that a sale leaves to an account.
extension NextStep {
    /// The ended sales from which an account has something to collect, and those to review.
    struct Ended: Sendable {
        let toCollect: Set<String>
        let toReview: Set<String>

        init(toCollect: Set<String>, toReview: Set<String>) {
            (self.toCollect, self.toReview) = (toCollect, toReview)
        }

        /// Asks the node for both.
        static func of(_ node: StoaClient) async throws -> Ended {
            async let collected = node.sales(list: "to_collect", limit: 100)
            async let reviewed = node.sales(list: "to_review", limit: 100)
            return Ended(
                toCollect: Set(try await collected.items.map(\.id)),
                toReview: Set(try await reviewed.items.map(\.id))
            )
        }
    }

    /// Returns what an account can do next in a sale, the likeliest first.
    ///
    /// - Parameters:
    ///   - sale: The sale.
    ///   - own: The account's address.
    ///   - listing: The listing of the sale, if it is known.
    ///   - ended: The ended sales with something left to do; `nil` if this one has ended just now,
    ///     so that nothing of it is collected or reviewed yet.
    ///   - sending: The operation in which the node still sends the account's address to the
    ///     seller.
    /// - Returns: The steps in their order; none for an account without a part in the sale.
    static func of(
        _ sale: Sale,
        for own: String,
        _ listing: Listing? = nil,
        ended: Ended? = nil,
        sending: String? = nil
    ) -> [NextStep] {
        let id = IDText.short(sale.id)
        let part = Part(of: own, in: sale)
        guard part != .none else { return [] }
        var steps: [NextStep] = []
        if part == .buyer, needsAddress(sale, listing) {
            let told = sending.map { NextStep(.sending, IDText.short($0)) }
            steps.append(told ?? NextStep(.address, id))
        }
        steps += moves(in: sale, part, of: own)
        if let auction = sale.auction, let bid = auction.ownBid, auction.isOpen,
            auction.highestBid?.bidder != own, let least = auction.minimalBid
        {
            let amount = CurrencyUnits.on(sale.chain) {
                MoneyText.exact(least, sale.price.currency)
            }
            steps.append(NextStep(.raise, sale.listing.map(IDText.short) ?? id, " '\(amount)'"))
            if bid != "0" { steps.append(NextStep(.collect)) }
        }
        if part == .buyer, listing?.content.type == "digital", handedOver.contains(sale.phase) {
            steps.append(NextStep(.work, id))
        }
        guard sale.stage == "over" else { return sorted(steps) }
        if part == .seller, sale.isToBeSent == true { steps.append(NextStep(.send, id)) }
        let isCredited = (sale.payouts ?? []).contains { $0.account == own && $0.amount != "0" }
        if ended.map({ $0.toCollect.contains(sale.id) }) ?? isCredited {
            steps.append(NextStep(.collect))
        }
        let canReview = part != .other && reviewed.contains(sale.phase)
        if ended.map({ $0.toReview.contains(sale.id) }) ?? canReview {
            steps.append(NextStep(.review, id))
        }
        return sorted(steps)
    }

    /// The phases in which the buyer has the item, or has its key.
    private static let handedOver: Set = ["complete", "sold", "transferred"]
    /// The phases in which both sides can review each other.
    private static let reviewed: Set = ["complete", "sold", "refunded", "settled"]

    private static func sorted(_ steps: [NextStep]) -> [NextStep] {
        steps.sorted { $0.kind.rawValue < $1.kind.rawValue }
    }

    /// Whether the seller waits for the address of the buyer.
    static func needsAddress(_ sale: Sale, _ listing: Listing?) -> Bool {
        listing?.content.delivery == "shipping" && sale.deliveryAddress == nil
            && (sale.phase == "paid" || sale.isToBeSent == true)
    }

    /// Returns the operation in which the node still sends the buyer's address to the seller; `nil`
    /// if there is none, or if the buyer need not tell an address.
    static func sending(
        in sale: Sale,
        for own: String?,
        _ listing: Listing?,
        _ node: StoaClient
    ) async -> String? {
        guard let own, Part(of: own, in: sale) == .buyer, needsAddress(sale, listing),
            let page = try? await node.operations(limit: 100)
        else { return nil }
        return page.items.first { operation in
            operation.kind == .buy && operation.subject == sale.id && operation.isRunning
                && operation.phases.contains { $0.name == .told }
        }?.id
    }

    /// Whether an account has a part in a sale.
    static func isParty(_ own: String, of sale: Sale) -> Bool { Part(of: own, in: sale) != .none }

    /// The part of an account in a sale.
    private enum Part {
        case seller, buyer, other, none

        init(of own: String, in sale: Sale) {
            let isBuyer = sale.buyer == own && (sale.auction == nil || sale.stage == "over")
            let isOther =
                sale.escrow?.terms.arbiter == own || sale.auction?.ownBid != nil
                || sale.course?.rounds.contains { $0.own != nil } == true
            self = sale.seller == own ? .seller : isBuyer ? .buyer : isOther ? .other : .none
        }
    }

    /// The steps of the moves that are open; no move that nobody needs, such as a withdrawal.
    private static func moves(in sale: Sale, _ part: Part, of own: String) -> [NextStep] {
        let id = IDText.short(sale.id)
        let isSent = sale.phase == "transferred"
        // With the other side's proposal one agrees; with one's own one waits.
        let answers = ["agree", "withdraw_proposal"]
        let hasProposal = sale.actions.contains { answers.contains($0.move) }
        let isAnswered = sale.history.last { $0.move == "propose" }?.by == own
        return sale.actions.filter { isInTime($0, in: sale) }.compactMap { action in
            let round = action.round.map { " --round \($0)" } ?? ""
            return switch action.move {
            case "transfer": NextStep(action.releasesWork ? .release : .send, id)
            // The contract accepts both before the item is sent, but a buyer should make neither
            // then.
            case "confirm": isSent ? NextStep(.confirm, id) : nil
            case "dispute": isSent ? NextStep(.dispute, id) : nil
            case "claim": NextStep(.claim, id)
            case "refund" where sale.course != nil: NextStep(.leaveRound, id, round)
            case "refund" where part == .seller:
                sale.phase == "disputed" ? NextStep(.giveBack, id) : nil
            case "refund": NextStep(.takeBack, id)
            case "agree" where isAnswered: nil
            case "agree":
                NextStep(.agree, id, " --share \(ShareText.typed(action.share ?? 0))")
            case "propose": hasProposal || sale.phase != "disputed" ? nil : NextStep(.propose, id)
            case "take": NextStep(.takeDispute, id)
            case "rule": NextStep(.rule, id)
            case "execute_default": NextStep(.executeDefault, id)
            case "end": NextStep(.end, id)
            case "begin": NextStep(.begin, id)
            case "cancel": part == .seller ? nil : NextStep(.cancelRound, id)
            case "evaluate": NextStep(.evaluate, id, marks)
            case "settle": NextStep(.settle, id)
            default: nil
            }
        }
    }

    /// Whether the node still starts a move: one that closes soon might be mined too late.
    private static func isInTime(_ action: SaleAction, in sale: Sale) -> Bool {
        guard let until = action.until, let now = sale.asOf else { return true }
        return until > now.addingTimeInterval(closingSeconds)
    }

    /// How long before its end a node starts no move, in seconds.
    private static let closingSeconds: Double = 600

    private static let marks =
        ["preparation", "content", "delivery", "communication", "overall"]
        .map { " --\($0) <0 to 100>" }.joined()
}

extension Sale {
    /// The proposals to settle that can be accepted now.
    var proposals: [Proposal] { escrow?.proposals ?? [] }
}

extension SaleAction {
    /// Whether the move releases the key of a digital work.
    var releasesWork: Bool { consequence.contains { $0.code == "escrow.release" } }
}

/// The steps that follow on an operation.
extension NextStep {
    /// Returns the steps after a withdrawal: `rest` is the listing if pieces of it stay for sale.
    static func after(withdrawal preview: ActionPreview, leaving rest: String? = nil) -> [NextStep]
    {
        (preview.comesBack.isEmpty ? [] : [NextStep(.collect)])
            + [rest.map { NextStep(.showListing, IDText.short($0)) } ?? NextStep(.status)]
    }

    /// Returns the steps after an operation that has ended well.
    static func after(_ ended: Client.Operation, _ node: StoaClient) async -> [NextStep] {
        switch (ended.kind, ended.subject) {
        case (.list, let subject?):
            let listing = IDText.short(subject)
            return [NextStep(.showListing, listing), NextStep(.shareListing, listing)]
        case (.edit, let subject?): return [NextStep(.showListing, IDText.short(subject))]
        case (.buy, let subject?), (.bid, let subject?), (.move, let subject?):
            guard let sale = try? await node.sale(subject) else { return [] }
            let listing = await SaleCommand.listing(of: sale, node)
            let steps = of(sale, for: ended.account, listing)
            guard steps.isEmpty else { return steps }
            let isOver = sale.stage == "over"
            return [isOver ? NextStep(.status) : NextStep(.watch, IDText.short(sale.id))]
        case (.collect, _): return [NextStep(.status)]
        default: return []
        }
    }
}

extension CallOptions {
    /// Prints the steps that follow on an operation; nothing for programs.
    ///
    /// - Parameters:
    ///   - ended: The operation, which has ended well.
    ///   - node: The node that made it.
    ///   - known: Steps that the command has named already.
    func sayNext(
        after ended: Client.Operation,
        _ node: StoaClient,
        besides known: Set<NextStep.Kind> = []
    ) async {
        guard !json else { return }
        let steps = await NextStep.after(ended, node).filter { !known.contains($0.kind) }
        say(next: steps)
    }

    /// Prints steps; nothing for programs.
    func say(next steps: [NextStep]) {
        guard !steps.isEmpty else { return }
        output.note(NextStep.lines(steps).joined(separator: "\n"))
    }
}
