import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// People on one node, over a chain that mines when it is told to; the node stops itself after each
/// step of what they do.
struct CrashHarness {
    typealias Request = @Sendable (StoaClient, IdempotencyKey) async throws -> Client.Operation

    /// What somebody has asked for, perhaps without getting an answer.
    struct PendingCall {
        let person: String
        let key: IdempotencyKey
        let request: Request
        fileprivate(set) var id: String?
    }

    static let confirmations: UInt64 = 3
    private static let password = "correct horse"

    let harness: MarketHarness
    let node: CrashingNode
    /// How often the node has stopped itself.
    private(set) var stops = 0
    private var open: PendingCall?
    private var keys = 0

    /// Runs a test on a market of its own, with accounts that have ten ether each.
    static func scoped(
        _ names: [String],
        tokens: [MarketPlan.TestToken] = [],
        _ body: (inout CrashHarness, _ people: [Address]) async throws -> Void
    ) async throws {
        try await MarketHarness.scoped(tokens: tokens) { harness in
            let folder = try TemporaryFolder()
            var crashHarness = try await CrashHarness(harness: harness, folder: folder)
            let people = try await crashHarness.settle(names)
            try await body(&crashHarness, people)
        }
    }

    init(harness: MarketHarness, folder: TemporaryFolder) async throws {
        self.harness = harness
        node = try CrashingNode(in: folder, on: harness)
        try await harness.dev.control("evm_setIntervalMining", "[0]")
        try await harness.dev.control("evm_setAutomine", "[false]")
    }

    /// Waits by the clock, as what is waited for happens in another process.
    static func until(_ wish: String, _ isFulfilled: () async throws -> Bool) async throws {
        let deadline = Deadline(after: .seconds(60), on: .system)
        while try await !isFulfilled() {
            guard !deadline.hasPassed else { throw NotFulfilled(wish: wish) }
            try await SystemMonotonicClock().wait(.milliseconds(20))
        }
    }

    struct NotFulfilled: Error {
        let wish: String
    }

    func mine(_ blocks: UInt64 = 1) async throws {
        for _ in 0..<blocks { try await harness.dev.control("evm_mine") }
    }

    /// Makes accounts with ten ether each.
    func settle(_ names: [String]) async throws -> [Address] {
        var found: [Address] = []
        try await node.run { node in
            for name in names { found.append(try await create(name, on: node)) }
        }
        for address in found { try await harness.dev.fund(address) }
        try await mine()
        return found
    }

    /// Makes an account of a key that is known elsewhere.
    func settle(_ name: String, phrase: String) async throws -> Address {
        var found = Address.zero
        try await node.run { node in found = try await create(name, phrase, on: node) }
        return found
    }

    private func create(
        _ name: String,
        _ phrase: String? = nil,
        on node: StoaClient
    ) async throws -> Address {
        let creation = AccountCreation(name: name, password: Self.password, phrase: phrase)
        return try Address(text: try await node.createAccount(creation).account.address)
    }

    /// Gives somebody of the market's token.
    func mint(_ amount: UInt64, for account: Address) async throws {
        try await harness.dev.control("evm_setAutomine", "[true]")
        try await harness.mint(amount, for: account)
        try await harness.dev.control("evm_setAutomine", "[false]")
    }

    func signedIn(_ person: String, on node: StoaClient) async throws -> StoaClient {
        let session = try await node.signIn(account: person, password: Self.password)
        return node.with(token: session.token)
    }

    /// Runs the node, with what is under way carried to its end first.
    mutating func run(_ body: (StoaClient) async throws -> Void) async throws {
        let last = take()
        try await node.run { node in
            if let last { try await finish(last, on: node) }
            try await body(node)
        }
    }

    /// Lets somebody do something on a running node, and mines what it sends.
    func done(
        _ person: String,
        on node: StoaClient,
        _ request: Request
    ) async throws -> Client.Operation {
        let caller = try await signedIn(person, on: node)
        return try await mined(try await request(caller, IdempotencyKey()), for: caller)
    }

    /// Mines what an operation sends, until it has ended well.
    func mined(
        _ begun: Client.Operation,
        for caller: StoaClient
    ) async throws -> Client.Operation {
        let ended = try await caller.follow(begun) { now in
            let waits = now.phases.contains {
                [.mined, .confirmed].contains($0.name) && $0.state == .running
            }
            if waits { try await mine() }
        }
        #expect(ended.state == .done, "\(ended.kind): \(ended.problem?.detail ?? "")")
        return ended
    }

    /// Lets somebody do something on a running node, until its transaction waits to be mined.
    func sent(
        _ person: String,
        on node: StoaClient,
        _ request: @escaping Request
    ) async throws -> PendingCall {
        let caller = try await signedIn(person, on: node)
        let key = IdempotencyKey()
        let id = try await request(caller, key).id
        try await Self.until("the transaction is sent") {
            let phases = try await caller.operation(id).phases
            return phases.contains { $0.name == .sent && $0.state == .done }
        }
        return PendingCall(person: person, key: key, request: request, id: id)
    }

    /// Does something that takes `transactions`, on a node that stops after every step of each.
    mutating func crash(
        _ person: String,
        transactions: Int = 1,
        _ request: @escaping Request
    ) async throws {
        let call = try await crashUntilMined(person, transactions: transactions, request)
        for number in 0..<transactions {
            // The first has as many confirmations by now as transactions were mined.
            try await mine(number == 0 ? Self.confirmations - UInt64(transactions) : 1)
            try await stop(after: .final)
        }
        open = call
    }

    /// Begins something whose first `transactions` are mined, on a node that stops after every
    /// step of each.
    mutating func crashUntilMined(
        _ person: String,
        transactions: Int,
        _ request: @escaping Request
    ) async throws -> PendingCall {
        var call = try await begin(person, request)
        try await sign(&call)
        try await send()
        for _ in 1..<transactions {
            try await stop(after: .signed) { [self] node in
                _ = try await signedIn(person, on: node)
            }
            try await send()
        }
        return call
    }

    /// Begins something on a node that stops as soon as the intent is in its journal.
    mutating func begin(_ person: String, _ request: @escaping Request) async throws -> PendingCall
    {
        keys += 1
        var call = PendingCall(person: person, key: IdempotencyKey("act \(keys)"), request: request)
        let last = take()
        try await stop(after: .intentRecorded) { [self] node in
            if let last { try await finish(last, on: node) }
            let caller = try await signedIn(person, on: node)
            call.id = try await request(caller, call.key).id
        }
        return call
    }

    /// Lets it be signed; who asks again meanwhile is answered the same operation.
    mutating func sign(_ call: inout PendingCall) async throws {
        let (person, request, key, id) = (call.person, call.request, call.key, call.id)
        var found: String?
        try await stop(after: .signed) { [self] node in
            let caller = try await signedIn(person, on: node)
            found = try await request(caller, key).id
        }
        if let found, let id { #expect(found == id) }
        call.id = id ?? found
    }

    /// What is signed is sent and watched while the account is locked: nobody signs in.
    mutating func send() async throws {
        try await stop(after: .broadcast)
        try await mine()
        try await stop(after: .mined)
    }

    mutating func stop(
        after step: JournalStep,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        try await node.runs(until: step, body)
        stops += 1
    }

    /// For a step that the node comes to by itself.
    mutating func stop(after step: JournalStep) async throws {
        try await node.runs(until: step)
        stops += 1
    }

    /// What a call has come to, which has ended.
    func end(of call: PendingCall, on node: StoaClient) async throws -> Client.Operation {
        let caller = try await signedIn(call.person, on: node)
        let operation =
            if let id = call.id { try await caller.operation(id) } else {
                try await call.request(caller, call.key)
            }
        return try await caller.follow(operation) { _ in }
    }

    private func finish(_ call: PendingCall, on node: StoaClient) async throws {
        let ended = try await end(of: call, on: node)
        #expect(ended.state == .done, "\(ended.kind): \(ended.problem?.detail ?? "")")
    }

    private mutating func take() -> PendingCall? {
        defer { open = nil }
        return open
    }
}
