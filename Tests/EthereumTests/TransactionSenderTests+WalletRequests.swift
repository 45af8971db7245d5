import Ethereum
import Keys
import Market
import Support
import Testing

/// Transactions that a wallet outside the node signs, on a real development chain.
extension TransactionSenderTests {
    /// How the wallet answers.
    enum Answer: CaseIterable {
        case signature, transaction, hash
    }

    @Test(arguments: Answer.allCases)
    func `pays once for a wallet's transaction, despite a restart`(answer: Answer) async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            let key = testKey(40)
            let harness = try await SenderHarness(wallet: key, on: dev, client: client)
            let asked = try await harness.run { sender in
                try await sender.asked(payment())
            }
            let signed = try asked.transaction.signed(by: key)
            try await harness.run { sender in
                #expect(await sender.walletRequest(of: payment().id)?.asked == asked)
                let taken: WalletAnswer
                switch answer {
                case .signature: taken = .signature(signed.signature)
                case .transaction: taken = .transaction(signed.encoded)
                case .hash:
                    // The wallet is slow: until then nobody knows the transaction.
                    await #expect(throws: IntentError.unknownTransaction(signed.hash)) {
                        try await sender.take(.hash(signed.hash), for: payment().id)
                    }
                    _ = try await client.perform(.send(signed.encoded))
                    taken = .hash(signed.hash)
                }
                try await sender.take(taken, for: payment().id)
                await #expect(throws: IntentError.nothingAsked) {
                    try await sender.take(taken, for: payment().id)
                }
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            let paid = try await client.perform(.balance(of: Self.receiver)).amount
            #expect(paid == Self.value)
            #expect(try harness.journal.steps.filter { $0 == .requested }.count == 1)
        }
    }

    @Test func `finds an unreported transaction of a wallet by its nonce`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            let key = testKey(43)
            let harness = try await SenderHarness(wallet: key, on: dev, client: client)
            try await harness.run { sender in
                let asked = try await sender.asked(payment()).transaction
                func send(_ nonce: UInt64, _ value: Amount) async throws -> SignedTransaction {
                    let signed = try Transaction(
                        chain: ChainID(dev.chainNumber),
                        nonce: nonce,
                        to: asked.to,
                        value: value,
                        data: asked.data,
                        gasLimit: asked.gasLimit,
                        pricing: asked.pricing
                    ).signed(by: key)
                    _ = try await client.perform(.send(signed.encoded))
                    return signed
                }
                // One of the wallet's own, and then the one asked for with the next nonce.
                _ = try await send(asked.nonce, Amount(small: 1))
                let untold = try await send(asked.nonce + 1, asked.value)
                let progress = try await sender.ended(payment().id)
                #expect(progress.phase == .final && progress.transaction == untold.hash)
                #expect(await sender.walletRequest(of: payment().id) == nil)
            }
            #expect(try harness.journal.steps.filter { $0 == .requested }.count == 1)
        }
    }

    @Test func `finds an unreported transaction that one endpoint hides`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = try client(dev, transport, altering: 0) { request, answer in
                if request.contains("eth_getTransactionByHash") {
                    return #"{"jsonrpc":"2.0","id":0,"result":null}"#
                }
                guard request.contains("eth_getTransactionCount") else { return answer }
                return answer.replacing(/"result": ?"0x1"/, with: #""result":"0x0""#)
            }
            let key = testKey(45)
            let harness = try await SenderHarness(wallet: key, on: dev, client: client)
            try await harness.run { sender in
                let asked = try await sender.asked(payment()).transaction
                let untold = try asked.signed(by: key)
                _ = try await client.perform(.send(untold.encoded))
                let progress = try await sender.ended(payment().id)
                #expect(progress.phase == .final && progress.transaction == untold.hash)
            }
        }
    }

    /// - From people: a cancellation while nothing can be written → store_full; the operation goes on, and
    ///   can be cancelled later
    @Test func `a cancellation that is not stored changes nothing`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(44)
            let client = client(dev, transport)
            let harness = try await SenderHarness(wallet: key, on: dev, client: client)
            let id = payment().id
            try await harness.run { sender in
                _ = try await sender.asked(payment())
                harness.journal.crash(before: .refused)
                await #expect(throws: MemoryJournal.Crashed.self) {
                    try await sender.replace(id, by: .cancel)
                }
                await #expect(throws: MemoryJournal.Crashed.self) {
                    _ = try await sender.drop(id, because: "it is old")
                }
                #expect(await sender.progress(of: id)?.phase == .awaitsSignature)
                #expect(await sender.walletRequest(of: id) != nil)
                harness.journal.crash(before: nil)
                try await sender.replace(id, by: .cancel)
                #expect(await sender.progress(of: id)?.phase == .refused("it was cancelled"))
            }
            #expect(try harness.journal.steps == [.intentRecorded, .requested, .refused])
        }
    }

    @Test func `refuses a transaction other than the one requested`() async throws {
        try await DevChain.scoped { dev, transport in
            let client = client(dev, transport)
            let key = testKey(41)
            let harness = try await SenderHarness(wallet: key, on: dev, client: client)
            try await harness.run { sender in
                let asked = try await sender.asked(payment()).transaction
                let dear = Transaction(
                    chain: ChainID(dev.chainNumber),
                    nonce: asked.nonce,
                    to: asked.to,
                    value: Amount(small: 99_999),
                    data: asked.data,
                    gasLimit: asked.gasLimit,
                    pricing: asked.pricing
                )
                let other = try dear.signed(by: key)
                await #expect(throws: AskedTransactionFault.otherCall(.value)) {
                    try await sender.take(.transaction(other.encoded), for: payment().id)
                }
                let stranger = try asked.signed(by: testKey(42))
                await #expect(throws: AskedTransactionFault.otherSigner(testKey(42).address)) {
                    try await sender.take(.signature(stranger.signature), for: payment().id)
                }
                #expect(await sender.progress(of: payment().id)?.phase == .awaitsSignature)
                try await sender.withdraw(payment().id)
                #expect(await sender.walletRequest(of: payment().id) == nil)
            }
            #expect(try await client.perform(.balance(of: Self.receiver)).amount.isZero)
        }
    }
}
