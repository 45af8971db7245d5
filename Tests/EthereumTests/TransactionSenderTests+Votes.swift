import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing
import Texts

/// One of three endpoints says something else than the others.
extension TransactionSenderTests {
    /// - From endpoints: a nonce that two others do not confirm → theirs counts, and the endpoint
    ///   is mistrusted
    @Test(arguments: [0, 1, 2])
    func `follows two of three endpoints on the nonce`(place: Int) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let client = try client(dev, transport, altering: place) { request, answer in
                guard request.contains("eth_getTransactionCount") else { return answer }
                return answer.replacing(/"result": ?"0x0"/, with: #""result":"0x99""#)
            }
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            #expect(try harness.journal.attempts.map(\.nonce) == [0])
            // The third is not asked while the first two agree.
            guard place < 2 else { return }
            guard case .failing(.contradiction) = await client.reports[place].status else {
                Issue.record("\(await client.reports)")
                return
            }
        }
    }

    /// - From endpoints: a refusal to count an account's transactions, in words about pending ones → the
    ///   endpoint's fault if these were not asked for; the others are asked
    @Test(arguments: [0, 1])
    func `signs although one of three endpoints counts no transactions`(place: Int) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let client = try client(dev, transport, altering: place) { request, answer in
                guard request.contains("eth_getTransactionCount") else { return answer }
                return #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"#
                    + #""message":"pending block is not available"}}"#
            }
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            #expect(try harness.journal.attempts.map(\.nonce) == [0])
        }
    }

    @Test func `does not mistrust an endpoint whose count is a block behind`() async throws {
        try await DevChain.scoped { dev, transport in
            let key = testKey(1)
            try await dev.fund(key.address)
            let client = try client(dev, transport, altering: 1) { request, answer in
                // Its newest block is the one before the transaction of another program.
                guard request.contains(#""latest""#) else { return answer }
                if request.contains("eth_getBlockByNumber") {
                    return answer.replacing(/"number": ?"0x2"/, with: #""number":"0x1""#)
                }
                guard request.contains("eth_getTransactionCount") else { return answer }
                return answer.replacing(/"result": ?"0x1"/, with: #""result":"0x0""#)
            }
            _ = try await client.perform(.send(try foreign(0, by: key, on: client).encoded))
            let harness = SenderHarness(signer: KeySigner(key), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            #expect(try harness.journal.attempts.map(\.nonce) == [1])
            #expect(await client.reports.map(\.status) == [.good, .good, .good])
        }
    }

    /// - From endpoints: waiting transactions of the account that two others do not know → the step does
    ///   not wait for them
    @Test(arguments: [0, 1])
    func `one of three holds up no step by waiting transactions`(place: Int) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let client = try client(dev, transport, altering: place) { request, answer in
                guard request.contains("eth_getTransactionCount"), request.contains("pending")
                else { return answer }
                return answer.replacing(/"result": ?"0x0"/, with: #""result":"0x99""#)
            }
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                #expect(try await sender.ended(payment().id).phase == .final)
            }
            #expect(try harness.journal.attempts.map(\.nonce) == [0])
        }
    }

    /// - From endpoints: another outcome in a receipt than two others have → theirs counts, and the
    ///   endpoint is mistrusted
    @Test(arguments: [0, 1])
    func `follows two of three endpoints on a receipt`(place: Int) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let client = try client(dev, transport, altering: place) { request, answer in
                guard request.contains("eth_getTransactionReceipt") else { return answer }
                return answer.replacing(/"status": ?"0x1"/, with: #""status":"0x0""#)
            }
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(twice)
                #expect(try await sender.ended(twice.id).phase == .final)
            }
            let reports = await client.reports
            if case .failing(.contradiction) = reports[place].status { return }
            // One that was a block behind the others had no say.
            let newest = reports.compactMap(\.head).max() ?? 0
            #expect(reports[place].head ?? 0 < newest, "\(reports)")
        }
    }

    /// - From endpoints: a failed receipt, while all other endpoints are away → the operation waits and
    ///   says so; it ends as a second one says
    @Test func `ends nothing by one of three endpoints while the others are away`() async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let isAlone = Mutex(false)
            let endpoints = try (1...3).map { try Endpoint(url: "http://number\($0).test") }
            var all: any RPCTransport = SameTransport(inner: transport, real: dev.endpoint)
            all = AlteringTransport(inner: all, altered: endpoints[0].name) { request, answer in
                guard request.contains("eth_getTransactionReceipt") else { return answer }
                return answer.replacing(/"status": ?"0x1"/, with: #""status":"0x0""#)
            }
            for other in endpoints.dropFirst() {
                all = AlteringTransport(inner: all, altered: other.name) { request, answer in
                    if request.contains("eth_sendRawTransaction") { isAlone.withLock { $0 = true } }
                    guard isAlone.withLock({ $0 }) else { return answer }
                    throw RPCTransportError.unreachable(reason: "away")
                }
            }
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: endpoints,
                transport: all,
                logger: quiet
            )
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(payment())
                let waiting = await sender.reached(payment().id) { $0.note != nil }
                #expect(waiting?.note == SendQueue.LoneClaim.receipt.reason.detail)
                #expect(waiting?.phase == .mined(confirmations: 0, of: 1))
                #expect(try !harness.journal.steps.contains(.reverted))
                isAlone.withLock { $0 = false }
                #expect(try await sender.ended(payment().id).phase == .final)
            }
        }
    }

    /// How an endpoint hides what has become of a transaction.
    enum Hiding: CaseIterable {
        case noReceipts, otherBlock, oldState, indexing
    }

    /// - From endpoints: no receipt, a receipt in another block, or a refusal of receipts or of old
    ///   states → what two others say counts; only one that names a false block is mistrusted
    @Test(arguments: Hiding.allCases, [0, 1])
    func `observes its transactions by two of three endpoints`(hiding: Hiding, place: Int)
        async throws
    {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let block = RPCCall.block(.number(1))
            let first = try #require(try await self.client(dev, transport).perform(block)).id
            let client = try client(dev, transport, altering: place) { request, answer in
                Self.hidden(hiding, behind: first, request, answer)
            }
            let harness = SenderHarness(signer: KeySigner(testKey(1)), client: client)
            try await harness.run { sender in
                try await sender.submit(twice)
                #expect(try await sender.ended(twice.id).phase == .final)
            }
            #expect(try harness.journal.steps.count { $0 == .final } == 2)
            let status = await client.reports[place].status
            guard hiding == .otherBlock else {
                #expect(status == .good)
                return
            }
            guard case .failing(.contradiction) = status else {
                Issue.record("\(status)")
                return
            }
        }
    }

    private static func hidden(
        _ hiding: Hiding,
        behind block: BlockID,
        _ request: String,
        _ answer: String
    ) -> String {
        func refusal(_ words: String) -> String {
            #"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"\#(words)"}}"#
        }
        let isReceipt = request.contains("eth_getTransactionReceipt")
        switch hiding {
        case .noReceipts where isReceipt:
            return #"{"jsonrpc":"2.0","id":0,"result":null}"#
        case .otherBlock where isReceipt:
            return answer.replacing(
                /"blockNumber": ?"0x[0-9a-f]+"/,
                with: #""blockNumber":"0x1""#
            ).replacing(
                /"blockHash": ?"0x[0-9a-f]+"/,
                with: #""blockHash":"\#(block.hash.hex)""#
            )
        case .oldState
        where request.contains("eth_getTransactionCount") && request.contains(#","0x"#):
            return refusal("missing trie node 12 (path )")
        case .indexing where isReceipt: return refusal("transaction indexing is in progress")
        default: return answer
        }
    }

    /// An intent of two steps, the second of which waits for the first one's receipt.
    private var twice: Intent {
        Intent(id: payment().id, purpose: "pay", steps: payment().steps + payment().steps)
    }

    /// A client of one chain at three endpoints, one of which is altered.
    func client(
        _ dev: DevChain,
        _ transport: HTTPTransport,
        altering place: Int,
        _ change: @escaping AlteringTransport.Change
    ) throws -> ChainClient {
        let endpoints = try (1...3).map { try Endpoint(url: "http://number\($0).test") }
        return ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: endpoints,
            transport: AlteringTransport(
                inner: SameTransport(inner: transport, real: dev.endpoint),
                altered: endpoints[place].name,
                change: change
            ),
            logger: quiet
        )
    }
}
