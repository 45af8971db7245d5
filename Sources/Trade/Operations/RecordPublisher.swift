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
    private let mail: SaleMail?

    /// - Parameters:
    ///   - store: Has the records.
    ///   - recordService: Publishes them.
    ///   - accounts: Have the keys that sign.
    ///   - saleIndexes: The sales on the chains.
    ///   - mail: Sends messages; `nil` if no operation has one.
    package init(
        store: Store,
        recordService: RecordService,
        accounts: Accounts,
        saleIndexes: SaleIndexes,
        mail: SaleMail?
    ) {
        (self.store, self.recordService) = (store, recordService)
        (self.accounts, self.saleIndexes, self.mail) = (accounts, saleIndexes, mail)
    }

    package func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of operation: FinalOperation
    ) async throws -> PublishingAnswer {
        guard let mail else { return .later([Sentence("progress.noMessages")]) }
        return try await mail.disclose(disclosure, of: operation)
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
    /// higher one, and a failed change of a price by the state in which it left the sale.
    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        by account: Address
    ) -> Problem? {
        if operation.kind == .edit { return repricingCause(of: problem, in: operation) }
        guard operation.kind == .buy || operation.kind == .bid,
            problem.code == ProblemCode.contractRefused.rawValue,
            let hash = operation.subject.flatMap({ Bytes32(hex: $0) }),
            let view = saleIndexes.all.first(where: {
                operation.chain == nil || $0.deployment.chain.number == operation.chain
            })?.view(of: SaleID(hash))
        else { return nil }
        if operation.kind == .bid {
            guard view.sale.buyer != account, view.sale.buyer != nil else { return nil }
            return Refusal(
                .bidTooLow,
                Sentence("refusal.outbid")
            ).problem
        }
        let money = Sentence("refusal.moneyStayed")
        return Refusal.soldToOther(than: account, view.sale, money: money)?.problem
    }

    private func repricingCause(of problem: Problem, in operation: Client.Operation) -> Problem? {
        guard let subject = operation.subject, let id = try? ListingID(subject),
            let listing = try? store.listing(id)?.listing,
            let sale = listing.sale.flatMap({ saleIndexes.view(of: $0) })?.sale
        else { return nil }
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
        let state = if case .withdrawal = content { "withdrawn" } else { "published" }
        let listing = ListingID(author: account, slot: slot).description
        let news = News("listing", subject: listing, data: ["state": state])
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
            return .later([Sentence("progress.noRoom", ["reason": "\(error)"])])
        }
        return .done(news)
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
