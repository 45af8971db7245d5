package import Concurrency
package import Ethereum
package import Keys

/// A sender on a development chain, with a journal that outlives it.
package struct SenderHarness: Sendable {
    package let signer: any TransactionSigner
    package let client: ChainClient
    package let journal = MemoryJournal()
    package var configuration: SenderConfiguration

    package init(signer: any TransactionSigner, client: ChainClient, confirmations: UInt64 = 1) {
        (self.signer, self.client) = (signer, client)
        var configuration = SenderConfiguration()
        configuration.confirmations = confirmations
        configuration.pollInterval = .milliseconds(20)
        configuration.limits.rebroadcast = .milliseconds(100)
        configuration.limits.nonceLostAfter = .zero
        // Nothing is overdue in a test, however slow its machine.
        configuration.receiptTries = 10_000
        self.configuration = configuration
    }

    /// Runs a new sender, as after a restart, for as long as `body` does.
    ///
    /// - Throws: What ended the sender, where it ended first; with `errors` it goes on instead.
    package func run<Value: Sendable>(
        listener: (any TransactionListener)? = nil,
        signingBlock: @escaping TransactionSender.SigningBlock = { _ in nil },
        afterStep: @escaping TransactionSender.StepHook = { _ in },
        errors: LoopErrors? = nil,
        _ body: (TransactionSender) async throws -> Value
    ) async throws -> Value {
        let sender = try await TransactionSender(
            client: client,
            signer: signer,
            journal: journal,
            listener: listener,
            configuration: configuration,
            logger: quiet,
            signingBlock: signingBlock,
            afterStep: afterStep
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sender.run(errors: errors) }
            do {
                let value = try await body(sender)
                group.cancelAll()
                return value
            } catch is StreamEnded {
                try await group.waitForAll()
                throw StreamEnded()
            }
        }
    }
}

extension SenderHarness {
    /// A sender for an account with ten ether, whose key is in a wallet outside the node.
    package init(wallet key: PrivateKey, on dev: DevChain, client: ChainClient) async throws {
        try await dev.fund(key.address)
        self.init(signer: ElsewhereSigner(address: key.address), client: client)
    }
}

/// An account whose key is in a wallet outside the node.
private struct ElsewhereSigner: TransactionSigner {
    let address: Address

    func state(for call: Intent.Step) async -> SignerState { .elsewhere }

    func sign(_ transaction: Transaction) async throws -> Signature { throw SignerError.locked }
}

extension TransactionSender {
    /// Submits an intent, and returns what its wallet is asked to sign.
    package func asked(_ intent: Intent) async throws -> AskedTransaction {
        try await submit(intent)
        _ = try await until(intent.id) { $0 == .awaitsSignature }
        guard let request = walletRequest(of: intent.id) else { throw StreamEnded() }
        return request.asked
    }

    /// Waits until an intent has ended; throws where the sender ends first.
    package func ended(_ id: IntentID) async throws -> IntentProgress {
        guard let progress = await end(of: id) else { throw StreamEnded() }
        return progress
    }

    /// Waits until an intent is in a phase of which `condition` holds.
    package func until(
        _ id: IntentID,
        _ condition: (SendPhase) -> Bool
    ) async throws -> IntentProgress {
        guard let progress = await reached(id, { condition($0.phase) }) else { throw StreamEnded() }
        return progress
    }
}

extension DevChain {
    /// Gives an account ether of the chain's own faucet, ten at a time.
    package func fund(_ account: Address, ether: Int = 10) async throws {
        for _ in 0..<ether / 10 {
            try await control("dev_fund", #"["\#(account.checksummed)", "0x8ac7230489e80000"]"#)
        }
    }
}
