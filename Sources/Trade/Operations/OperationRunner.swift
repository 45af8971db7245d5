import AccountAccess
import Answers
import Client
import Concurrency
import Ethereum
import Keys
package import Logging
import Market

/// Carries out the operations that move money: hands their transactions to the sender, writes down
/// how far they are, and publishes their records once they are final.
///
/// An operation is durable before its transactions are, and its intent's id follows from its own:
/// a crash anywhere in between does it once. A locked account's operations wait.
package actor OperationRunner {
    /// How many operations of one kind an account can begin about one subject while the store has
    /// little room: each that is cancelled stays in the store.
    static let scarceMax = 8

    let log: OperationLog
    let senders: any IntentSenders
    let publishing: any Publishing
    private let saleIndexes: SaleIndexes
    let inbox: OperationInbox
    let signingDeadline: SigningDeadline
    private let logger: Logger
    let errors: LoopErrors
    var book = OperationBook()
    /// How many operations of a kind accounts have begun about a subject since the store has had
    /// little room.
    var scarce: [String: Int] = [:]
    var hasResumed = false
    /// The accounts whose senders, on all chains, have only intents of operations that are known
    /// here.
    var cleared: Set<Address> = []

    /// - Parameters:
    ///   - log: Keeps the operations.
    ///   - senders: Send transactions to the chain, and report progress to the inbox.
    ///   - publishing: Publishes records.
    ///   - saleIndexes: The chains' state on this node.
    ///   - inbox: Signals events that may advance an operation.
    ///   - signingDeadline: The age at which work that waits for its owner is too old; the sender
    ///     uses the same.
    ///   - logger: Logs failures.
    package init(
        log: OperationLog,
        senders: any IntentSenders,
        publishing: any Publishing,
        saleIndexes: SaleIndexes,
        inbox: OperationInbox,
        signingDeadline: SigningDeadline,
        logger: Logger
    ) {
        self.log = log
        self.senders = senders
        self.publishing = publishing
        self.saleIndexes = saleIndexes
        self.inbox = inbox
        self.signingDeadline = signingDeadline
        self.logger = logger
        errors = LoopErrors("operations", logger: logger)
    }

    /// Resumes the operations of an earlier run, then carries out operations until cancelled.
    ///
    /// If an operation fails, its steps so far are kept; it continues at a later change.
    package func run() async throws {
        for await _ in inbox.changes() {
            // Everything that the earlier run left is known before a sender is told what to drop.
            guard errors.value("operations of a former run", { try resume() }) != nil else {
                continue
            }
            let progress = inbox.takeProgress()
            await errors.item("operations of removed accounts") { try await forgetRemoved() }
            for (id, entry) in book.open {
                if let progress = progress[entry.intent] { book[id]?.progress = progress }
            }
            for id in book.order { await errors.item("operation \(id)") { try await advance(id) } }
        }
    }

    /// Returns what an account's operations under way on a chain can still take from its balance.
    func due(by account: Address, in currency: Currency, on chain: ChainID) -> Amount {
        book.due(by: account, in: currency, on: chain, first: senders.chains.first)
    }

    /// Makes all possible progress on an operation.
    private func advance(_ id: String) async throws {
        guard let entry = book[id] else { return }
        if try await endIfUnwanted(id, entry) { return }
        guard !entry.plan.steps.isEmpty else {
            let hasWaited =
                [.needsUnlock, .needsSignature].contains(entry.operation.state) || entry.isResumed
            if hasWaited, try await endIfExpired(id, entry) { return }
            return try await publish(id, entry)
        }
        guard let progress = entry.progress else { return try await submit(id, entry) }
        if progress.phase.waitsForOwner, try await endIfExpired(id, entry) { return }
        let index = (entry.chain ?? senders.chains.first).flatMap { saleIndexes[$0] }
        let report = OperationProgress(
            progress,
            stepCount: entry.plan.steps.count,
            isShown: progress.height.flatMap { index?.hasSettled($0) } ?? true,
            outage: index?.outage,
            isAlone: index?.isAlone == true
        )
        let now = log.now
        // One that was done waits again if its transaction has lost its nonce, or another one
        // follows.
        try await change(id) { for phase in report.phases { $0.note(phase, at: now) } }
        if let problem = report.problem {
            guard try await publishBegun(id, entry, progress, on: index) else { return }
            let (operation, account) = (entry.operation, entry.account)
            let cause = publishing.cause(of: problem, in: operation, entry.plan, by: account)
            try await end(id, problem: cause ?? problem)
        } else if report.isFinal {
            try await publish(id, entry)
        } else {
            try await set(report.state, id)
        }
    }

    /// Hands the transactions of an operation to the sender, which then reports their progress.
    private func submit(_ id: String, _ entry: OpenOperation) async throws {
        if cleared.insert(entry.account).inserted { try await clear(entry.account) }
        do {
            guard let sender = try await sender(of: entry) else {
                return try await note(.unfollowed(entry.chain), of: id)
            }
            // It can have ended while its sender was looked up.
            guard book[id] != nil else { return }
            book[id]?.isSubmitted = true
            try await sender.submit(entry.plan.intent(operation: id))
        } catch IntentError.beingRecorded {
            // It is submitted again at the next change.
        } catch IntentError.tooManyOpen {
            book[id]?.isSubmitted = entry.isSubmitted
        } catch let error as IntentError {
            logger.error("intent not taken", metadata: ["operation": "\(id)", "why": "\(error)"])
            let refusal = Refusal(
                .internalError,
                Sentence("refusal.notAccepted", ["reason": "\(error)"])
            )
            try await end(id, problem: refusal.problem)
        }
    }

    /// Returns the sender of an operation's transactions; `nil` if the node does not follow its
    /// chain.
    nonisolated func sender(of entry: OpenOperation) async throws -> (any IntentSender)? {
        try await senders.sender(of: entry.account, on: entry.chain)
    }

    /// Ends an operation that has waited too long for its owner, if nothing of it was ever signed.
    ///
    /// A signed transaction has to be followed to its end, however old it is.
    private func endIfExpired(_ id: String, _ entry: OpenOperation) async throws -> Bool {
        guard signingDeadline.isOver(since: entry.operation.createdAt) else { return false }
        if !entry.plan.steps.isEmpty {
            let isDropped = try await sender(of: entry)?.drop(
                entry.intent,
                because: "it waited for its owner for too long"
            )
            guard isDropped == true else { return false }
        }
        let wasRequested = entry.progress?.wasRequested ?? false
        let refusal = signingDeadline.refusal(wasRequested: wasRequested)
        let name = entry.plan.phases.first ?? .published
        let phase = Client.Operation.Phase(name, failedFor: refusal)
        try await end(id, with: phase, problem: refusal.problem)
        return true
    }

    private func publish(_ id: String, _ entry: OpenOperation) async throws {
        guard !entry.plan.publications.isEmpty else { return try await disclose(id, entry) }
        do {
            switch try await publish(entry.plan.publications, id, entry) {
            case .done(let news): try await end(id, with: published(.done), news: news)
            case .locked, .unsigned, .later: break
            }
        } catch let refusal as Refusal {
            try await end(
                id,
                with: Client.Operation.Phase(.published, failedFor: refusal),
                problem: refusal.problem
            )
        }
    }

    /// Publishes records in order, and writes down why one of them has to wait.
    ///
    /// - Returns: The answer to the last one, or to the first that waits.
    /// - Throws: The first ``Refusal``, after the others are published.
    private func publish(
        _ publications: [OperationPlan.Publication],
        _ id: String,
        _ entry: OpenOperation
    ) async throws -> PublishingAnswer {
        var (answer, refusal): (_, Refusal?) = (PublishingAnswer.done(nil), nil)
        for publication in publications {
            do {
                answer = try await publishing.publish(publication, by: entry.account)
            } catch let refused as Refusal {
                refusal = refusal ?? refused
                continue
            }
            switch answer {
            case .done: continue
            case .locked: try await wait(id, .needsUnlock, [Sentence("progress.signIn")])
            case .unsigned:
                try await wait(id, .needsSignature, [Sentence("progress.signWithWallet")])
            case .later(let reasons): try await wait(id, .running, reasons)
            }
            return answer
        }
        if let refusal { throw refusal }
        return answer
    }

    /// Publishes the listings whose sales an operation has made before it failed: without them,
    /// nobody would find those sales, and their seller could not withdraw them.
    ///
    /// - Returns: Whether nothing is left to publish.
    private func publishBegun(
        _ id: String,
        _ entry: OpenOperation,
        _ progress: IntentProgress,
        on index: SaleIndex?
    ) async throws -> Bool {
        guard entry.plan.publications.count > 1, let height = progress.height else { return true }
        guard index?.hasSettled(height) ?? true else { return false }
        let begun = try publishing.begun(entry.plan.publications, by: entry.account)
        do {
            guard case .done = try await publish(begun, id, entry) else { return false }
        } catch is Refusal {
            // The operation ends with its own problem.
        }
        return true
    }

    /// Writes down why a record is not published yet.
    private func wait(
        _ id: String,
        _ state: Client.Operation.State,
        _ reasons: [Sentence]
    ) async throws {
        try await set(state, id)
        try await note(published(.running, reasons), of: id)
    }

    private func published(
        _ state: Client.Operation.Phase.State,
        _ notes: [Sentence] = []
    ) -> Client.Operation.Phase {
        Client.Operation.Phase(name: .published, state: state, notes: notes)
    }

    /// Sends what the operation discloses, if it does.
    ///
    /// If that cannot be sent, the operation does not fail: its transactions are final.
    private func disclose(_ id: String, _ entry: OpenOperation) async throws {
        guard let disclosure = entry.plan.disclosure else { return try await end(id) }
        func told(
            _ state: Client.Operation.Phase.State,
            _ notes: [Sentence] = []
        ) -> Client.Operation.Phase {
            Client.Operation.Phase(name: .told, state: state, notes: notes)
        }
        let receipt = entry.progress?.receipts.last ?? nil
        let operation = FinalOperation(
            account: entry.account,
            chain: entry.chain,
            begunAt: entry.operation.createdAt,
            height: receipt?.block.number,
            transaction: receipt?.transaction
        )
        do {
            switch try await publishing.disclose(disclosure, of: operation) {
            case .done(let news): try await end(id, with: told(.done), news: news)
            case .locked, .unsigned:
                try await set(.needsUnlock, id)
                try await note(told(.running, [Sentence("progress.signInForText")]), of: id)
            case .later(let reasons):
                try await set(.running, id)
                try await note(told(.running, reasons), of: id)
            }
        } catch let refusal as Refusal {
            try await end(id, with: Client.Operation.Phase(.told, failedFor: refusal))
        }
    }

    /// Writes down how a phase stands.
    private func note(_ phase: Client.Operation.Phase, of id: String) async throws {
        let now = log.now
        try await change(id) { $0.note(phase, at: now) }
    }

    private func set(_ state: Client.Operation.State, _ id: String) async throws {
        try await change(id) { $0.state = state }
    }

    /// Changes an operation, in memory and in the store; a change without effect is not written.
    func change(
        _ id: String,
        _ body: @escaping @Sendable (inout Client.Operation) -> Void
    ) async throws {
        guard let entry = book[id] else { return }
        var changed = entry.operation
        body(&changed)
        guard changed != entry.operation else { return }
        try await log.update(id, account: entry.account, body)
        if var latest = book[id] {
            body(&latest.operation)
            book[id] = latest
        }
    }

    /// Ends an operation, in one commit with the end of its last phase and with all notices.
    func end(
        _ id: String,
        with phase: Client.Operation.Phase? = nil,
        problem: Problem? = nil,
        news: News? = nil
    ) async throws {
        // First, so that a listener to the end can begin the same again.
        guard let entry = book.take(id) else { return }
        let now = log.now
        do {
            try await log.update(id, account: entry.account, news: news) { operation in
                if let phase { operation.note(phase, at: now) }
                operation.end(with: problem, at: now)
            }
        } catch {
            book[id] = entry
            throw error
        }
        signingDeadline.forget(entry.intent)
        book.forget(id)
    }
}

extension Client.Operation.Phase {
    /// The phase of an operation whose chain the node no longer follows.
    fileprivate static func unfollowed(_ chain: ChainID?) -> Self {
        let note =
            chain.map { Sentence("progress.chainNotFollowed", ["chain": "\($0)"]) }
            ?? Sentence("progress.ownChainNotFollowed")
        return Self(name: .estimate, state: .running, notes: [note])
    }

    /// A phase that ended for a reason.
    init(_ name: Name, failedFor refusal: Refusal) {
        self.init(name: name, state: .failed, detail: refusal.detail)
        notes = refusal.reason
    }
}
