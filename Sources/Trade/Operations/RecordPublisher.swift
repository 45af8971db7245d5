package import AccountAccess
import Answers
package import Client
import Contracts
import Ethereum
package import Keys
package import Market
package import Records
package import Storage

/// Publishes the records that operations end with, once this node's own view of the chain confirms
/// them, and sends the messages that they end with.
package struct RecordPublisher: Publishing {
    private let store: Store
    private let recordService: RecordService
    private let accounts: Accounts
    private let saleIndexes: SaleIndexes
    private let plannedTexts: PlannedTexts?

    /// - Parameters:
    ///   - store: Has the records.
    ///   - recordService: Publishes them.
    ///   - accounts: Have the keys that sign.
    ///   - saleIndexes: The sales on the chains.
    ///   - plannedTexts: Sends messages; `nil` if no operation has one.
    package init(
        store: Store,
        recordService: RecordService,
        accounts: Accounts,
        saleIndexes: SaleIndexes,
        plannedTexts: PlannedTexts?
    ) {
        (self.store, self.recordService) = (store, recordService)
        (self.accounts, self.saleIndexes) = (accounts, saleIndexes)
        self.plannedTexts = plannedTexts
    }

    package func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of operation: FinalOperation
    ) async throws -> PublishingAnswer {
        guard let plannedTexts else { return .later([Sentence("progress.noMessages")]) }
        return try await plannedTexts.disclose(disclosure, of: operation)
    }

    package func begun(
        _ publications: [OperationPlan.Publication],
        by account: Address
    ) throws -> [OperationPlan.Publication] {
        var begun: [OperationPlan.Publication] = []
        var isAnyNew = false
        for publication in publications {
            let content = try? RecordContent(
                kind: publication.kind,
                payload: publication.payload[...]
            )
            guard case .listing(let listing)? = content, let sale = listing.sale,
                saleIndexes.sale(sale) != nil
            else { continue }
            begun.append(publication)
            let present = try store.listing(ListingID(author: account, slot: publication.slot))
            if present?.listing.sale != sale { isAnyNew = true }
        }
        return isAnyNew ? begun : []
    }

    package func publish(
        _ publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        do {
            return try await publish(checked: publication, by: account)
        } catch let fault as RecordFault {
            throw Self.refusal(of: fault)
        }
    }

    /// Explains a failed purchase by an earlier buyer, if the chain shows one, a failed bid by a
    /// higher one, a failed change of a price by the state in which it left the sale, and a failed
    /// listing of several pieces by those that it has listed.
    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        _ plan: OperationPlan,
        by account: Address
    ) -> Problem? {
        if operation.kind == .edit { return repricingCause(of: problem, in: operation, plan) }
        if operation.kind == .list { return listingCause(of: problem, in: operation) }
        guard operation.kind == .buy || operation.kind == .bid,
            problem.code == ProblemCode.contractRefused.rawValue,
            let hash = operation.subject.flatMap({ Bytes32(hex: $0) }),
            let view = saleIndexes.all.first(where: {
                operation.chain == nil || $0.deployment.chain.number == operation.chain
            })?.view(of: SaleID(hash))
        else { return nil }
        if operation.kind == .bid {
            guard view.sale.buyer != account, view.sale.buyer != nil else { return nil }
            return Refusal(.bidTooLow, Sentence("refusal.outbid")).problem
        }
        let money = Sentence("refusal.moneyStayed")
        return Refusal.soldToOther(
            than: account,
            view.sale,
            money: money,
            besides: piecesLeft(besides: view.sale)
        )?.problem
    }

    /// Says how many other pieces of a sold one can be bought; `nil` if there are none.
    private func piecesLeft(besides sale: Market.Sale) -> Sentence? {
        guard let piece = try? store.foundListing(of: sale),
            let found = try? store.listing(piece.shownID), let set = try? store.pieces(of: found)
        else { return nil }
        let count = set.offered(on: saleIndexes).count
        return count == 0 ? nil : Sentence("refusal.piecesLeft", ["count": "\(count)"])
    }

    /// Adds how many pieces are for sale, if the operation has not listed all that it was to.
    private func listingCause(of problem: Problem, in operation: Client.Operation) -> Problem? {
        guard let code = ProblemCode(rawValue: problem.code),
            let id = operation.subject.flatMap({ try? ListingID($0) }),
            let found = try? store.listing(id), case .first? = found.listing.pieces,
            let set = try? store.pieces(of: found)
        else { return nil }
        let counts = ["count": "\(set.offered(on: saleIndexes).count)"]
        let words = (problem.reason ?? []) + [Sentence("refusal.piecesListed", counts)]
        return Refusal(code, words).problem
    }

    private func repricingCause(
        of problem: Problem,
        in operation: Client.Operation,
        _ plan: OperationPlan
    ) -> Problem? {
        guard let subject = operation.subject, let id = try? ListingID(subject),
            let found = try? store.listing(id), let pieces = try? store.pieces(of: found).pieces
        else { return nil }
        func sale(of piece: FoundListing) -> Market.Sale? {
            piece.listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale
        }
        let sales = pieces.compactMap(sale(of:))
        // It lists again the pieces that nobody had bought when it was planned.
        let slots = Set(plan.publications.map(\.slot))
        if sales.contains(where: { $0.buyer == nil }),
            pieces.contains(where: { slots.contains($0.id.slot) && sale(of: $0)?.buyer != nil })
        {
            let words = Sentence("refusal.pieceSoldMeanwhile", ["listing": id.description])
            return Refusal(.moveNotOpen, words).problem
        }
        // A piece that was sold before did not stop the operation.
        let sale = sales.first { $0.stage == .over && $0.buyer == nil } ?? sales.first
        guard let sale else { return nil }
        if sale.buyer != nil {
            let words = Sentence("refusal.soldBeforePrice")
            return Refusal(.moveNotOpen, words, .state(of: sale.state)).problem
        }
        guard sale.stage == .over, let code = ProblemCode(rawValue: problem.code) else {
            return nil
        }
        return Refusal(code, (problem.reason ?? []) + [Sentence("refusal.priceNotListed")]).problem
    }

    package func draft(
        of publication: OperationPlan.Publication,
        by account: Address,
        at time: Timestamp
    ) throws -> RecordDraft? {
        let slot = publication.slot
        let content: RecordContent
        do {
            content = try RecordContent(kind: publication.kind, payload: publication.payload[...])
        } catch {
            throw Self.refusal(of: error)
        }
        guard case .ready = try readiness(of: content, slot: slot, by: account) else { return nil }
        return try recordService.draft(of: content, slot: slot, author: account, at: time)
    }

    package func publish(_ draft: RecordDraft, with signature: Signature) async throws {
        let record: SignedRecord
        do {
            record = try draft.signed(with: signature)
        } catch .wrongSigner {
            throw Refusal(
                .badSignature,
                Sentence("refusal.otherSigner", ["account": "\(draft.author)"]),
                field: "signature"
            )
        } catch {
            throw Self.refusal(of: error)
        }
        _ = try await recordService.publish(record)
    }

    private static func refusal(of fault: RecordFault) -> Refusal {
        Refusal(.badListing, Sentence("refusal.recordBreaksRule", ["rule": "\(fault)"]))
    }

    private func publish(
        checked publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        let slot = publication.slot
        let content = try RecordContent(kind: publication.kind, payload: publication.payload[...])
        let news = try news(of: content, in: ListingID(author: account, slot: slot))
        switch try readiness(of: content, slot: slot, by: account) {
        case .published: return .done(news)
        case .later(let reason): return .later([reason])
        case .ready: break
        }
        // The money has moved: the record waits until the clock is right.
        let clock = await recordService.clockWatch.comparison()
        if clock.isUnusable { return .later(clock.warnings) }
        guard let key = await accounts.key(of: account) else {
            return try await accounts.signsElsewhere(account) ? .unsigned : .locked
        }
        do {
            _ = try await recordService.publish(content, slot: slot, by: key)
        } catch let error as StorageError where error.isLackOfRoom {
            return .later([Sentence("progress.noRoom", ["reason": error.term])])
        }
        return .done(news)
    }

    /// Returns the event of a publication; one of several pieces changes the listing that stands
    /// for all of them.
    private func news(of content: RecordContent, in id: ListingID) throws -> News {
        let role =
            if case .listing(let listing) = content { listing.pieces } else {
                try store.listing(id)?.listing.pieces
            }
        var (shown, state) = (id, content.isWithdrawal ? "withdrawn" : "published")
        if case .further(let first)? = role {
            (shown, state) = (ListingID(author: id.author, slot: first), "published")
        }
        return News("listing", subject: shown.description, data: ["state": state])
    }

    /// Whether a publication can be made now.
    private enum Readiness {
        case published
        case later(Sentence)
        case ready
    }

    private func readiness(
        of content: RecordContent,
        slot: Bytes32,
        by account: Address
    ) throws -> Readiness {
        if try isPublished(content, slot: slot, by: account) { return .published }
        if let sale = content.sale, saleIndexes.sale(sale) == nil {
            guard let saleIndex = saleIndexes[sale.contract.chain] else {
                let chain = "\(sale.contract.chain)"
                return .later(Sentence("progress.chainNotFollowed", ["chain": chain]))
            }
            return .later(
                saleIndex.sources.state == .away
                    ? Sentence("progress.saleUnconfirmed") : Sentence("progress.saleNotFinal")
            )
        }
        return .ready
    }

    /// Whether the slot contains just this, from an earlier run that ended before it could report
    /// it.
    private func isPublished(
        _ content: RecordContent,
        slot: Bytes32,
        by account: Address
    ) throws -> Bool {
        let key = RecordKey(author: account, kind: content.kind, slot: slot)
        guard let stored = try store.read({ try $0.record(in: key) }) else { return false }
        return stored.readable()?.content == content
    }
}

extension RecordContent {
    /// The sale that a listing or its withdrawal names.
    fileprivate var sale: SaleReference? {
        switch self {
        case .listing(let listing): listing.sale
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.sale
        case .profile, .device, .review, .curation, .withdrawal, .laterListing: nil
        }
    }
}
