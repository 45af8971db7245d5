package import Concurrency
package import Keys
package import Logging
package import Market
import Metrics
package import Texts

/// Sends one account's transactions on one chain, each intent exactly once.
///
/// Runs one ``SendQueue`` against the real chain, key and journal. Signed transactions are
/// broadcast and watched even while the account is locked.
package actor TransactionSender {
    /// A function that is called after each durable step; a test ends the process in it.
    package typealias StepHook = @Sendable (JournalStep) async throws -> Void

    /// Returns why a step may not be signed now, such as the chain's health; `nil` if it may.
    ///
    /// Called before each step's first signature with the step, and before the signature of a
    /// replacement with `nil`.
    package typealias SigningBlock = @Sendable (Intent.Step?) async -> Sentence?

    /// Returns whether an intent is too old to be signed now that its owner is back.
    ///
    /// Called only for intents that have waited for the owner and of which nothing was signed.
    package typealias SigningExpired = @Sendable (IntentID) -> Bool

    /// A signed transaction that is to be sent to the endpoints.
    struct OutgoingTransaction: Sendable {
        let slot: SendSlot
        let attempt: SignedAttempt
    }

    package nonisolated let account: Address
    package nonisolated var chain: ChainID { client.chain }
    let client: ChainClient
    private let signer: any TransactionSigner
    let journal: any TransactionJournal
    private let listener: (any TransactionListener)?
    let configuration: SenderConfiguration
    let clock: any MonotonicClock
    private let logger: Logger
    private let signingBlock: SigningBlock
    private let isExpired: SigningExpired
    private let afterStep: StepHook
    var queue: SendQueue
    /// The signed transactions that are being sent to endpoints, and the answers.
    var beingSent: Set<Bytes32> = []
    var answers: [SendQueue.Event] = []
    /// Gets the transactions to send while the sender runs.
    var outgoing: AsyncStream<OutgoingTransaction>.Continuation?
    /// The nonces below which the sender no longer looks for transactions that a wallet sent
    /// without reporting them.
    var searchedNonces: [SendSlot: UInt64] = [:]
    /// The highest number of the account's transactions that two endpoints have agreed on.
    var agreedCount: UInt64 = 0
    private var beingRecorded: Set<IntentID> = []
    /// Entries that may be in the journal and are not in the queue yet.
    private(set) var entriesUnderWay = 0
    private(set) var entriesBegun = 0
    let watchers = Broadcast<[IntentID: IntentProgress]>()
    let wakes: AsyncStream<Void>
    nonisolated let wake: AsyncStream<Void>.Continuation

    /// Creates a sender in the state of its journal; nothing is sent before ``run()``.
    package init(
        client: ChainClient,
        signer: any TransactionSigner,
        journal: any TransactionJournal,
        listener: (any TransactionListener)? = nil,
        configuration: SenderConfiguration = SenderConfiguration(),
        clock: any MonotonicClock = .system,
        logger: Logger = Logger(label: "stoa.sender"),
        signingBlock: @escaping SigningBlock = { _ in nil },
        isExpired: @escaping SigningExpired = { _ in false },
        afterStep: @escaping StepHook = { _ in }
    ) async throws {
        self.client = client
        self.signer = signer
        self.journal = journal
        self.listener = listener
        self.configuration = configuration
        self.clock = clock
        self.signingBlock = signingBlock
        self.isExpired = isExpired
        self.afterStep = afterStep
        account = signer.address
        var logger = logger
        logger[metadataKey: "chain"] = "\(client.chain)"
        logger[metadataKey: "account"] = "\(signer.address)"
        self.logger = logger
        queue = SendQueue(
            account: signer.address,
            chain: client.chain,
            pace: configuration.pace,
            fees: configuration.fees,
            limits: configuration.limits,
            journal: try await journal.entries(account: signer.address, chain: client.chain)
        )
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether signing is paused, because a transaction of another program used one of our nonces.
    package var isPaused: Bool { queue.isPaused }

    package var progress: [IntentProgress] { queue.allProgress }

    package func progress(of id: IntentID) -> IntentProgress? { queue.progress(of: id) }

    /// Accepts an intent and returns when it is durable; submitting it again has no effect.
    ///
    /// The listener learns the progress at once; an earlier run may already have made some.
    ///
    /// - Throws: ``IntentError``, or the journal's error.
    package func submit(_ intent: Intent) async throws {
        let limits = configuration.limits
        guard (1...limits.stepsMax).contains(intent.steps.count),
            intent.steps.allSatisfy({ $0.data.count <= limits.callBytesMax })
        else { throw IntentError.outOfBounds }
        if let known = queue.intent(intent.id) {
            guard known == intent else { throw IntentError.otherContent }
            return try await tellProgress(of: intent.id)
        }
        guard queue.openCount < limits.intentsOpenMax else { throw IntentError.tooManyOpen }
        guard beingRecorded.insert(intent.id).inserted else { throw IntentError.beingRecorded }
        defer { beingRecorded.remove(intent.id) }
        let slot = SendSlot(intent: intent.id, step: 0)
        try await record(JournalEntry(slot, .intentRecorded(intent)))
        queue.add(intent)
        wake.yield()
        try await tellProgress(of: intent.id)
    }

    func tellProgress(of id: IntentID) async throws {
        guard let progress = queue.progress(of: id) else { return }
        try await listener?.handle(progress, account: account, chain: chain)
    }

    /// Signs the intent's waiting transaction again with a higher fee, or cancels it.
    ///
    /// When it returns, the request is durable: a restart does not lose it. A step that is not
    /// signed yet, for example because it waits for a lower fee, is cancelled by never signing it.
    ///
    /// - Throws: ``IntentError/nothingToReplace`` if no step of the intent waits;
    ///   ``IntentError/replacedTooOften``.
    package func replace(_ id: IntentID, by kind: SignedAttempt.Kind) async throws {
        guard kind != .original else { throw IntentError.nothingToReplace }
        guard queue.wishes(of: id).wanted != kind else { return }
        try requireWishes(of: id)
        if let entry = queue.replacement(of: id, by: kind) {
            var isKept = false
            defer { queue.replacementIsRecorded(entry, isKept: isKept) }
            try await record(entry)
            isKept = true
            wake.yield()
        } else {
            guard kind == .cancel else { throw IntentError.nothingToReplace }
            try await withdraw(id)
        }
    }

    /// Ends an intent before its next step is signed; that costs no fee.
    ///
    /// - Throws: ``IntentError/nothingToReplace`` if no step waits to be signed, or one is being
    ///   signed now; or the journal's error.
    package func withdraw(_ id: IntentID) async throws {
        guard let entry = queue.withdrawal(of: id) else { throw IntentError.nothingToReplace }
        try await end(entry)
    }

    /// Journals the end of an intent; it takes effect only if that succeeds.
    private func end(_ entry: JournalEntry) async throws {
        do {
            var isKept = false
            defer { queue.decisionIsRecorded(entry, isKept: isKept) }
            try await record(entry)
            isKept = true
        }
        watchers.send(snapshot)
        wake.yield()
        try await tellProgress(of: entry.slot.intent)
    }

    /// Ends an intent of which nothing was ever signed.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - reason: Why, as its owner reads it.
    /// - Returns: `false` if a step was signed, or is being signed now.
    /// - Throws: The journal's error.
    package func drop(_ id: IntentID, because reason: String) async throws -> Bool {
        guard let entry = queue.drop(id, because: reason) else { return false }
        try await end(entry)
        return true
    }

    /// Ends all intents but these; their signed transactions are watched to the end.
    package func abandon(allBut kept: Set<IntentID>) {
        queue.abandon(allBut: kept)
        wake.yield()
    }

    /// Resumes signing after the owner acknowledged that another program uses the key: its
    /// transaction has one of our nonces, or waits with the nonce that is next and may now be
    /// replaced.
    ///
    /// - Returns: Whether signing was paused for that reason.
    @discardableResult
    package func acknowledgeForeignUse() async throws -> Bool {
        guard let entry = queue.acknowledgement() else { return false }
        try await record(entry)
        queue.apply(entry)
        watchers.send(snapshot)
        wake.yield()
        return true
    }

    /// Wakes the sender; call it when the account was unlocked or a new block arrived.
    package nonisolated func look() { wake.yield() }

    /// Waits until an intent has ended.
    ///
    /// - Returns: The intent's last progress, or `nil` if the sender stopped before the end.
    package func end(of id: IntentID) async -> IntentProgress? {
        await reached(id) { $0.phase.isEnd }
    }

    /// Waits until an intent's progress satisfies a condition; `nil` if the sender stopped before.
    package func reached(
        _ id: IntentID,
        _ condition: (IntentProgress) -> Bool
    ) async -> IntentProgress? {
        for await all in watchers.values(startingWith: snapshot) {
            if let progress = all[id], condition(progress) { return progress }
        }
        return nil
    }

    /// Handles an event and performs the directives that follow.
    ///
    /// - Returns: Whether anything was journalled.
    func drive(_ event: SendQueue.Event) async throws -> Bool {
        var hasChanged = false
        var directives = queue.handle(event, at: clock.uptime)[...]
        while let directive = directives.popFirst() {
            if case .journal = directive { hasChanged = true }
            if let answer = try await perform(directive) {
                directives += queue.handle(answer, at: clock.uptime)
            }
        }
        watchers.send(snapshot)
        return hasChanged
    }

    private func perform(_ directive: SendQueue.Directive) async throws -> SendQueue.Event? {
        switch directive {
        case .journal(let entry):
            try await record(entry)
            return nil
        case .prepare(let slot, let step, let speed, let isReplacement):
            return try await prepare(slot, step, speed, isReplacement: isReplacement)
        case .sign(let slot, let kind, let transaction):
            return try await sign(slot, kind, transaction)
        case .broadcast(let slot, let attempt):
            if beingSent.insert(attempt.hash).inserted {
                outgoing?.yield(OutgoingTransaction(slot: slot, attempt: attempt))
            }
            return nil
        case .observe(let hashes):
            return try await observe(hashes, nonces: queue.noncesInFlight)
        case .tell(let progress):
            try await listener?.handle(progress, account: account, chain: chain)
            return nil
        }
    }

    func record(_ entry: JournalEntry) async throws {
        entriesBegun += 1
        entriesUnderWay += 1
        defer { entriesUnderWay -= 1 }
        try await journal.append(entry, account: account, chain: client.chain)
        let labels = [("chain", "\(client.chain)"), ("step", entry.step.rawValue)]
        Counter(label: "stoa_sender_steps", dimensions: labels).increment()
        logger.debug(
            "journal step",
            metadata: ["intent": "\(entry.slot.intent)", "step": "\(entry.step.rawValue)"]
        )
        try await afterStep(entry.step)
    }

    func logUntold(_ hash: Bytes32, _ slot: SendSlot) {
        logger.info(
            "a wallet has sent what it was asked for",
            metadata: ["intent": "\(slot.intent)", "transaction": "\(hash.hex)"]
        )
    }

    var snapshot: [IntentID: IntentProgress] {
        Dictionary(uniqueKeysWithValues: queue.allProgress.map { ($0.intent, $0) })
    }

    private func prepare(
        _ slot: SendSlot,
        _ step: Intent.Step,
        _ speed: FeeSpeed,
        isReplacement: Bool
    ) async throws -> SendQueue.Event {
        if try await signer.state(for: step) == .locked { return .locked(slot) }
        // The owner of the intents ends this one later; until then it counts as locked.
        if !isReplacement, queue.awaitsOwner(slot), isExpired(slot.intent) { return .locked(slot) }
        if let reason = await signingBlock(isReplacement ? nil : step) {
            return .delayed(slot, reason)
        }
        let (fees, limits) = (configuration.fees, configuration.limits)
        let due = isReplacement ? .zero : queue.due(besides: slot)
        do {
            let needs = try await client.preflight(
                step,
                from: account,
                speed: speed,
                fees: fees,
                feeMax: queue.feeMax(of: slot),
                limits: limits
            )
            if !isReplacement { try needs.requireAffordable(besides: due) }
            guard let nonce = try await nextNonce() else {
                return .delayed(slot, Sentence("progress.noncesDiffer"))
            }
            return .prepared(
                slot,
                SendQueue.Preparation(
                    nextNonce: nonce.next,
                    pendingNonce: isReplacement ? 0 : nonce.pending,
                    isNonceConfirmed: isReplacement || nonce.isConfirmed,
                    gasLimit: needs.gasLimit,
                    pricing: needs.pricing
                )
            )
        } catch {
            return try obstacle(error, to: slot, due: due)
        }
    }

    /// Returns the event of a step that cannot be prepared now, or never.
    ///
    /// - Throws: An error that is neither the preflight's nor an endpoint's.
    private func obstacle(
        _ error: any Error,
        to slot: SendSlot,
        due: Amount
    ) throws -> SendQueue.Event {
        switch error {
        case PreflightError.insufficientBalance where !due.isZero:
            let due = due.value(in: .native, on: client.chain)
            return .delayed(slot, Sentence("progress.fundsDue", ["due": due]))
        case PreflightError.feeAboveLimit(let feeMax):
            let agreed = feeMax.value(in: .native, on: client.chain)
            return .delayed(slot, Sentence("progress.feeAboveAgreed", ["agreed": agreed]))
        case let error as PreflightError where error.passes: return .delayed(slot, error.reason)
        case let error as PreflightError: return .refused(slot, "\(error)")
        case let error as EthereumError: return .delayed(slot, error.reason)
        default: throw error
        }
    }

    private func sign(
        _ slot: SendSlot,
        _ kind: SignedAttempt.Kind,
        _ transaction: Transaction
    ) async throws -> SendQueue.Event {
        do {
            try transaction.check()
            if try await signer.state(for: transaction.call) == .elsewhere {
                return .requested(slot, RequestedTransaction(kind, transaction))
            }
            let signature = try await signer.sign(transaction)
            let signed = SignedTransaction(transaction, signature: signature, sender: account)
            return .signed(
                slot,
                SignedAttempt(
                    kind: kind,
                    nonce: transaction.nonce,
                    pricing: transaction.pricing,
                    hash: signed.hash,
                    raw: signed.encoded
                )
            )
        } catch SignerError.locked {
            return .locked(slot)
        } catch let error as TransactionError {
            return .refused(slot, "no chain would take the transaction: \(error)")
        }
    }
}
