package import AccountAccess
package import Concurrency
package import Ethereum
package import Keys
package import Logging
package import Market

/// The transaction senders of this node's accounts on one chain, one for each that has something to
/// send there.
package actor Senders {
    /// More than a node has accounts, so that no start is ever lost.
    private static let startsMax = 4_096

    private let client: ChainClient
    private let accounts: Accounts
    private let saleIndex: SaleIndex
    private let journal: any Ethereum.TransactionJournal
    private let configuration: SenderConfiguration
    private let clock: any MonotonicClock
    private let logger: Logger
    private let signingBlock: TransactionSender.SigningBlock
    private let signingDeadline: SigningDeadline
    private let afterStep: TransactionSender.StepHook
    private let listener: any TransactionListener
    private let errors: LoopErrors
    private var senders: [Address: TransactionSender] = [:]
    private let starts: AsyncStream<TransactionSender>
    private nonisolated let start: AsyncStream<TransactionSender>.Continuation

    /// - Parameters:
    ///   - client: The chain's endpoints.
    ///   - accounts: Whose keys sign.
    ///   - saleIndex: The chain's sales, whose due moves are signed while nobody is signed in.
    ///   - journal: The log of steps taken.
    ///   - listener: Told how far each intent is.
    ///   - configuration: Confirmations, fees and limits.
    ///   - clock: Monotonic time.
    ///   - logger: Told of each step.
    ///   - signingBlock: Why nothing new may be signed now, such as the chain's health.
    ///   - signingDeadline: When what waits for its owner is too old to be signed.
    ///   - afterStep: Called after each durable step; see ``TransactionSender``.
    package init(
        client: ChainClient,
        accounts: Accounts,
        saleIndex: SaleIndex,
        journal: any Ethereum.TransactionJournal,
        listener: any TransactionListener,
        configuration: SenderConfiguration,
        clock: any MonotonicClock,
        logger: Logger,
        signingBlock: @escaping TransactionSender.SigningBlock,
        signingDeadline: SigningDeadline,
        afterStep: @escaping TransactionSender.StepHook
    ) {
        self.client = client
        (self.accounts, self.saleIndex) = (accounts, saleIndex)
        self.journal = journal
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        self.signingBlock = signingBlock
        self.signingDeadline = signingDeadline
        self.afterStep = afterStep
        self.listener = listener
        errors = LoopErrors("sender", logger: logger, clock: clock)
        (starts, start) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.startsMax))
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

    /// The account's sender, which is opened the first time it is needed.
    ///
    /// - Throws: The journal's error.
    package subscript(account: Address) -> any IntentSender {
        get async throws {
            if let known = senders[account] { return known }
            let opened = try await open(account)
            // Another call may have opened one in the meantime; two would use one nonce twice.
            if let known = senders[account] { return known }
            senders[account] = opened
            start.yield(opened)
            return opened
        }
    }

    /// Lets every sender check the chain at once, after a new block.
    package func look() {
        for sender in senders.values { sender.look() }
    }

    private func runSenders() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await sender in starts {
                group.addTask {
                    try await sender.run(errors: self.errors)
                }
            }
        }
    }

    private func open(_ account: Address) async throws -> TransactionSender {
        try await TransactionSender(
            client: client,
            signer: AccountSigner(account, of: accounts, on: saleIndex),
            journal: journal,
            listener: listener,
            configuration: configuration,
            clock: clock,
            logger: logger,
            signingBlock: signingBlock,
            isExpired: { [signingDeadline] in signingDeadline.isOver(for: $0) },
            afterStep: afterStep
        )
    }
}

extension TransactionSender: IntentSender {}

/// The transaction senders of all chains of the node.
package struct ChainSenders: IntentSenders {
    private let all: [(chain: ChainID, senders: Senders)]

    /// - Parameter all: Those of each chain, in the order of the settings.
    package init(_ all: [(chain: ChainID, senders: Senders)]) { self.all = all }

    package var chains: [ChainID] { all.map(\.chain) }

    package func sender(
        of account: Address,
        on chain: ChainID?
    ) async throws -> (any IntentSender)? {
        let found = all.first { chain == nil || $0.chain == chain }
        return try await found?.senders[account]
    }
}
