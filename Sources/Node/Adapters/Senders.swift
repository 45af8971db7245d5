package import Concurrency
package import Contracts
package import Keys
package import Logging
package import Market

/// What carries intents to the chain, each exactly once, whatever happens in between.
package protocol Sending: Sendable {
    /// Takes up an intent durably; the same one again is the same one.
    func submit(_ intent: Intent, by account: Address) async throws

    /// Where an intent is; `nil` for one that was never taken up.
    func progress(of intent: IntentID, by account: Address) async throws -> IntentProgress?

    /// Signs the intent's waiting transaction again with a higher fee, or cancels it.
    ///
    /// - Throws: `IntentError.nothingToReplace` where nothing of it waits to be mined.
    func replace(
        _ intent: IntentID,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws

    /// Ends an intent before its next step is signed, for free.
    ///
    /// - Throws: `IntentError.nothingToReplace` if no step waits to be signed, or if one is just
    ///   being signed.
    func withdraw(_ intent: IntentID, by account: Address) async throws

    /// What replacing the intent's waiting transaction costs; `nil` if nothing has to be signed.
    ///
    /// - Throws: `IntentError.nothingToReplace`, `PreflightError`, `EthereumError`.
    func replacementFee(
        of intent: IntentID,
        by kind: SignedAttempt.Kind,
        account: Address
    ) async throws -> FeeQuote?

    /// Lets the fee of the intent's waiting transaction be this at most, in wei.
    func raiseFee(of intent: IntentID, to feeMax: Amount, by account: Address) async throws

    /// What the fees of all the intent's transactions may be at most together, in wei; `nil` if one
    /// has no bound.
    func feesMax(of intent: IntentID, by account: Address) async throws -> Amount?

    /// The chain it is carried to.
    var chain: ChainID { get }

    /// Ends an intent of which nothing was ever signed.
    ///
    /// - Returns: False if something was signed, or is just being signed: then it goes on.
    func drop(_ intent: IntentID, because reason: String, by account: Address) async throws -> Bool

    /// The account's owner knows that its key is used elsewhere too: signing goes on.
    ///
    /// - Returns: Whether anything waited for that.
    func acknowledgeForeignUse(by account: Address) async throws -> Bool
}

/// The transaction senders of this node's accounts, one for each that has something to send.
package actor Senders: Sending {
    /// More than a node has accounts, so that none is ever lost.
    private static let startsMax = 4_096

    private let client: ChainClient
    private let accounts: Accounts
    private let journal: any Contracts.TransactionJournal
    private let configuration: SenderConfiguration
    private let clock: any MonotonicClock
    private let logger: Logger
    private let signingBlock: TransactionSender.SigningBlock
    private let signingDeadline: SigningDeadline
    private let afterStep: TransactionSender.StepHook
    private let changes: Broadcast<Void>
    private var senders: [Address: TransactionSender] = [:]
    private let starts: AsyncStream<TransactionSender>
    private nonisolated let start: AsyncStream<TransactionSender>.Continuation

    /// - Parameters:
    ///   - client: The chain's endpoints.
    ///   - accounts: Whose keys sign.
    ///   - journal: Keeps what was done.
    ///   - changes: Rung whenever an intent has got on.
    ///   - configuration: Confirmations, fees and limits.
    ///   - clock: Monotonic time.
    ///   - logger: Told of each step.
    ///   - signingBlock: Why nothing new may be signed now, such as the chain's health.
    ///   - signingDeadline: When what waits for its owner is too old to be signed.
    ///   - afterStep: Called after each durable step; see ``TransactionSender``.
    package init(
        client: ChainClient,
        accounts: Accounts,
        journal: any Contracts.TransactionJournal,
        changes: Broadcast<Void>,
        configuration: SenderConfiguration,
        clock: any MonotonicClock,
        logger: Logger,
        signingBlock: @escaping TransactionSender.SigningBlock,
        signingDeadline: SigningDeadline,
        afterStep: @escaping TransactionSender.StepHook
    ) {
        self.client = client
        self.accounts = accounts
        self.journal = journal
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.signingBlock = signingBlock
        self.signingDeadline = signingDeadline
        self.afterStep = afterStep
        self.changes = changes
        (starts, start) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.startsMax)
        )
    }

    /// Runs every sender, and wakes them when an account is unlocked, until cancelled.
    package func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await _ in self.accounts.unlockings() { await self.look() }
            }
            group.addTask { try await self.runSenders() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    package func submit(_ intent: Intent, by account: Address) async throws {
        try await sender(of: account).submit(intent)
    }

    package func progress(
        of intent: IntentID,
        by account: Address
    ) async throws -> IntentProgress? {
        try await sender(of: account).progress(of: intent)
    }

    package func replace(
        _ intent: IntentID,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws {
        try await sender(of: account).replace(intent, by: kind)
    }

    package func withdraw(_ intent: IntentID, by account: Address) async throws {
        try await sender(of: account).withdraw(intent)
    }

    package func replacementFee(
        of intent: IntentID,
        by kind: SignedAttempt.Kind,
        account: Address
    ) async throws -> FeeQuote? {
        try await sender(of: account).replacementFee(of: intent, by: kind)
    }

    package func raiseFee(
        of intent: IntentID,
        to feeMax: Amount,
        by account: Address
    ) async throws {
        try await sender(of: account).raiseFee(of: intent, to: feeMax)
    }

    package func feesMax(of intent: IntentID, by account: Address) async throws -> Amount? {
        try await sender(of: account).feesMax(of: intent)
    }

    package nonisolated var chain: ChainID { client.chain }

    package func drop(
        _ intent: IntentID,
        because reason: String,
        by account: Address
    ) async throws -> Bool {
        try await sender(of: account).drop(intent, because: reason)
    }

    package func acknowledgeForeignUse(by account: Address) async throws -> Bool {
        try await sender(of: account).acknowledgeForeignUse()
    }

    /// Lets every sender look at the chain at once, as a block came.
    package func look() {
        for sender in senders.values { sender.look() }
    }

    private func runSenders() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await sender in starts {
                group.addTask {
                    // One that fails cancels the others, but not the wait for new ones.
                    defer { self.start.finish() }
                    try await sender.run()
                }
            }
        }
    }

    private func sender(of account: Address) async throws -> TransactionSender {
        if let known = senders[account] { return known }
        let opened = try await TransactionSender(
            client: client,
            signer: AccountSigner(account, of: accounts),
            journal: journal,
            listener: ProgressRing(changes: changes),
            configuration: configuration,
            clock: clock,
            logger: logger,
            signingBlock: signingBlock,
            isExpired: { [signingDeadline] in signingDeadline.isOver(for: $0) },
            afterStep: afterStep
        )
        // Another call may have opened one meanwhile; two would give one nonce twice.
        if let known = senders[account] { return known }
        senders[account] = opened
        start.yield(opened)
        return opened
    }
}

/// Rings whenever an intent has got on.
private struct ProgressRing: TransactionListener {
    let changes: Broadcast<Void>

    func handle(_ progress: IntentProgress, account: Address, chain: ChainID) async throws {
        changes.send()
    }
}
