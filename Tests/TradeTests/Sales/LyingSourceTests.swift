import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// A node with two endpoints, one of which lies or is away.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LyingSourceTests {
    /// A payment for a sale that nobody made, in the block the sale was listed in.
    private static func payment(for view: SaleView, by buyer: Address, _ harness: MarketHarness)
        -> Ethereum.ContractEvent
    {
        let position = view.sale.position
        let window = (view.sale.state as? EscrowSale)?.terms.shipWindow ?? .zero
        let deadline = position.time.advanced(by: window)
        let signature = "Bought(bytes32,address,address,uint256,uint256)"
        func word(_ number: UInt64) -> [UInt8] { Bytes32(words: 0, 0, 0, number).bytes }
        func topic(_ address: Address) -> Bytes32 {
            Bytes32([UInt8](repeating: 0, count: 12) + address.bytes) ?? .zero
        }
        return Ethereum.ContractEvent(
            block: BlockID(number: position.blockNumber, hash: position.blockHash),
            index: 99,
            transaction: Bytes32(repeating: 4),
            address: harness.market.escrow,
            topics: [
                Keccak256.hash(signature.utf8), view.sale.id.hash,
                topic(view.sale.seller), topic(buyer),
            ],
            data: word(deadline.seconds) + word(position.time.seconds)
        )
    }

    static func view(_ node: RunningMarket, _ sale: String) -> SaleView? {
        Bytes32(hex: sale).flatMap { node.market.saleIndex.view(of: SaleID($0)) }
    }

    private static func isOpen(
        _ move: String,
        _ node: RunningMarket,
        _ sale: String,
        for account: Address
    ) -> Bool {
        guard let view = view(node, sale), let time = node.market.saleIndex.time else {
            return false
        }
        return node.market.saleIndex.actions(in: view, for: account, at: time)
            .contains { $0.move == move }
    }

    /// An endpoint that keeps a payment back, in the logs and in what the contract says.
    private final class Withholder: Sendable {
        private let calls = Mutex<[String: String]>([:])
        let isLying = Mutex(true)
        private let topic = Keccak256.hash(
            "Bought(bytes32,address,address,uint256,uint256)".utf8
        ).hex

        func answer(_ request: String, _ honest: String) -> String {
            guard isLying.withLock({ $0 }) else { return honest }
            if request.contains("eth_getLogs") {
                let text = honest.data(using: .utf8).flatMap {
                    try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
                }
                guard var object = text, let logs = object["result"] as? [[String: Any]] else {
                    return honest
                }
                object["result"] = logs.filter { ($0["topics"] as? [String])?.first != topic }
                let data = try? JSONSerialization.data(withJSONObject: object)
                return data.map { String(decoding: $0, as: UTF8.self) } ?? honest
            }
            guard request.contains("eth_call"),
                let data = request.firstMatch(of: /"(?:data|input)":"(0x[0-9a-f]+)"/)?.output.1
            else { return honest }
            // What it said first it says for ever.
            return calls.withLock { calls in
                let first = calls[String(data)] ?? honest
                calls[String(data)] = first
                return first
            }
        }
    }

    /// - From people: a move in a sale whose events differ between endpoints → chain_stale
    @Test func `allows a move after withheld events only once endpoints agree`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let withholder = Withholder()
                let liar = try harness.dev.liar
                var second = harness
                second.endpoints = [harness.dev.endpoint, liar]
                second.transport = AlteringTransport(inner: harness.transport, altered: liar.name) {
                    withholder.answer($0, $1)
                }
                try await second.run(in: try TemporaryFolder()) { reader in
                    let abort = Client.SaleMove(move: "abort")
                    try await reader.market.service.until { _ in
                        Self.view(reader, sale)?.isFinal == true
                    }
                    let before = try await reader.market.moves.move(sale, abort, by: ana).preview()
                    #expect(before.problems.isEmpty, "\(before)")
                    let purchase = Purchase(listing: listing, shipTo: "DE")
                    _ = try await node.done(
                        try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
                    )
                    try await node.market.service.until { _ in
                        let view = Self.view(node, sale)
                        return view?.sale.status.name == "paid" && view?.isFinal == true
                    }
                    _ = try await node.done(
                        try await node.market.moves.move(
                            sale,
                            Client.SaleMove(move: "transfer"),
                            by: ana
                        ).begin(key: "transfer")
                    )
                    try await reader.market.service.until { _ in
                        let view = Self.view(reader, sale)
                        return view?.isDisputed == true && view?.fault != nil
                    }
                    let shown = try #require(Self.view(reader, sale))
                    #expect(shown.sale.status.name == "listed" && !shown.isFinal)
                    #expect(shown.confirmedBy == 1 && shown.warnings.count == 2)
                    let refusal = await #expect(throws: Refusal.self) {
                        try await reader.market.moves.move(sale, abort, by: ana).preview()
                    }
                    #expect(refusal?.code == .chainStale)
                    #expect(refusal?.detail.hasPrefix("Endpoints differ about what") == true)

                    withholder.isLying.withLock { $0 = false }
                    try await reader.market.service.until { _ in
                        Self.view(reader, sale)?.isFinal == true
                    }
                    let view = try #require(Self.view(reader, sale))
                    #expect(view.sale.status.name == "transferred" && view.fault == nil)
                    #expect(!view.isDisputed && view.confirmedBy == 2)
                    #expect(
                        reader.market.saleIndex.sale(view.sale.reference)?.status.name
                            == "transferred"
                    )
                    #expect(Self.isOpen("confirm", reader, sale, for: bo))
                }
            }
        }
    }

    @Test func `checks the contract again before it signs after a sign-in`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let (ana, sale) = try await Self.listed(in: folder, harness)
            let isLying = Mutex(false)
            var one = harness
            let liar = try harness.dev.liar
            one.endpoints = [liar]
            one.transport = AlteringTransport(inner: harness.transport, altered: liar.name) {
                guard $0.contains("eth_call"), isLying.withLock({ $0 }) else { return $1 }
                let zeros = String(repeating: "0", count: 64)
                return $1.replacing(/"0x[0-9a-f]{64}/, with: "\"0x" + zeros)
            }
            try await one.run(in: folder) { node in
                try await node.market.service.until {
                    $0.health == .following && Self.view(node, sale)?.isFinal == true
                }
                let abort = Client.SaleMove(move: "abort")
                let begun = try await node.market.moves.move(sale, abort, by: ana).begin(
                    key: "abort"
                )
                isLying.withLock { $0 = true }
                try await node.signIn("ana")
                let isSigned = Mutex(false)
                try await node.until(ana) {
                    let phases = try node.operations.entry(begun.id, account: ana).operation.phases
                    let isDone = phases.contains { $0.name == .signed && $0.state == .done }
                    isSigned.withLock { $0 = isDone }
                    // What its answer leads to is told too: all is read again, or not at all.
                    let why = phases.first { $0.name == .estimate }?.detail ?? ""
                    return isDone
                        || ["The contract's answer", "The chain", "Chain", "No endpoint"]
                            .contains { why.hasPrefix($0) }
                }
                #expect(!isSigned.withLock { $0 })
            }
        }
    }

    /// - From endpoints: an invented event, with two endpoints → not final and left out of the
    ///   sale; both endpoints are named
    @Test func `an invented log shows no payment and opens no move`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let honest = try #require(Self.view(node, sale))
                let lie = Self.payment(for: honest, by: bo, harness)
                let liar = try harness.dev.liar
                let lied = Mutex(0)
                var second = harness
                second.endpoints = [liar, harness.dev.endpoint]
                second.transport = AlteringTransport(inner: harness.transport, altered: liar.name) {
                    let answer = lie.invented(in: $0, $1)
                    if answer != $1 { lied.withLock { $0 += 1 } }
                    return answer
                }
                try await second.run(in: try TemporaryFolder()) { reader in
                    try await reader.market.service.until { _ in
                        reader.market.saleIndex.sources.disputed.isEmpty == false
                    }
                    #expect(lied.withLock { $0 } > 0)
                    let shown = try await reader.market.sales.sale(sale, for: ana)
                    #expect(shown.phase == "listed" && shown.buyer == nil)
                    #expect(shown.confirmations == shown.confirmationsNeeded - 1)
                    #expect(shown.confirmedBy == 1)
                    #expect(shown.actions.map(\.move) == ["abort"])
                    let abort = try await reader.market.moves.move(
                        sale,
                        Client.SaleMove(move: "abort"),
                        by: ana
                    ).preview()
                    #expect(abort.problems.isEmpty, "\(abort)")
                    #expect(
                        try await reader.market.sales.sale(sale, for: bo).actions.map(\.move)
                            == ["buy"]
                    )
                    #expect(shown.warnings.count == 2)
                    #expect(reader.market.saleIndex.status.warnings.count == 1)

                    let purchase = Purchase(listing: listing, shipTo: "DE")
                    _ = try await node.done(
                        try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
                    )
                    try await reader.market.service.until { _ in
                        Self.view(reader, sale)?.sale.status.name == "paid"
                            && Self.isOpen("transfer", reader, sale, for: ana)
                    }
                    let paid = try await reader.market.sales.sale(sale, for: ana)
                    #expect(paid.confirmations == paid.confirmationsNeeded - 1)
                }
            }
        }
    }

    /// - From people: a move or a purchase while no second endpoint answers → one_source
    @Test func `a move needs its owner's consent while the second endpoint is away`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let listed = Mutex<(Address, String, String)?>(nil)
            try await harness.run(in: folder) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                let (_, sale) = try await MarketServicesTests.list(node, by: ana)
                let shown = try await node.market.sales.sale(sale, for: ana)
                #expect(shown.confirmedBy == 1)
                // One endpoint is the operator's choice; a development chain has no other one.
                #expect(shown.warnings.isEmpty)
                let status = node.market.saleIndex.status
                #expect(status.confirmedBy == 1 && status.warnings.isEmpty)
                var another = MarketServicesTests.bicycle
                another.identifier = "WTU-123 457"
                let other = try await node.done(
                    try await node.market.listingPlanner.create(another, by: ana).begin(
                        key: "other"
                    )
                ).subject
                listed.withLock { [other] in $0 = (ana, sale, other ?? "") }
            }
            let (ana, sale, other) = try #require(listed.withLock { $0 })
            var second = harness
            second.endpoints = [harness.dev.endpoint, try Endpoint(url: "http://127.0.0.1:9")]
            try await second.run(in: folder) { node in
                try await node.signIn("ana")
                try await node.market.service.until {
                    $0.health == .following && node.market.saleIndex.sources.state == .away
                }
                let shown = try await node.market.sales.sale(sale, for: ana)
                #expect(shown.confirmations == shown.confirmationsNeeded - 1)
                #expect(shown.restsOnOneSource && shown.confirmedBy == 1)
                #expect(shown.actions.map(\.move) == ["abort"])
                var move = Client.SaleMove(move: "abort")
                let refusal = await #expect(throws: Refusal.self) {
                    try await node.market.moves.move(sale, move, by: ana).begin(key: "abort")
                }
                #expect(refusal?.code == .oneSource)
                #expect(refusal?.detail.contains("acceptsOneSource") == true)

                let preview = try await node.market.moves.move(sale, move, by: ana).preview()
                #expect(preview.restsOnOneSource && preview.problems.isEmpty, "\(preview)")
                #expect(
                    preview.warnings.first?.detail.hasPrefix("Confirmed by one endpoint only")
                        == true
                )
                try await Self.asTheNode(node, sale, harness)
                try await Self.withdraw(node, other, by: ana)
                move.acceptsOneSource = true
                try await Self.awaitsSecond(
                    try await node.market.moves.move(sale, move, by: ana).begin(key: "abort"),
                    node
                )
            }
        }
    }

    /// A withdrawal that ends a sale asks for the same word.
    private static func withdraw(
        _ node: RunningMarket,
        _ listing: String,
        by ana: Address
    ) async throws {
        let planner = node.market.listingPlanner
        let refusal = await #expect(throws: Refusal.self) {
            try await planner.withdraw(listing, by: ana).begin(key: "withdraw")
        }
        #expect(refusal?.code == .oneSource)
        let preview = try await planner.withdraw(listing, by: ana).preview()
        #expect(preview.restsOnOneSource && preview.problems.isEmpty, "\(preview)")
        let taken = try await planner.withdraw(listing, by: ana, acceptsOneSource: true).begin(
            key: "withdraw"
        )
        try await awaitsSecond(taken, node)
    }

    /// Waits until an operation is mined and says that a second endpoint has to say so too.
    private static func awaitsSecond(
        _ operation: Client.Operation,
        _ node: RunningMarket
    ) async throws {
        let account = try Address(text: operation.account)
        try await node.until(account) {
            let now = try node.operations.entry(operation.id, account: account).operation
            let phase = now.phases.first { $0.name == .confirmed }
            return phase?.state == .running
                && phase?.detail?.contains(SendQueue.LoneClaim.receipt.reason.detail) == true
        }
    }

    static let nothing = #"{"jsonrpc":"2.0","id":0,"result":null}"#

    /// Ana and what she lists, on a node that runs for that alone.
    static func listed(
        in folder: TemporaryFolder,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, sale: String) {
        let known = Mutex<(Address, String)?>(nil)
        try await harness.run(in: folder) { node in
            let (ana, _) = try await MarketServicesTests.parties(node, harness)
            let (_, sale) = try await MarketServicesTests.list(node, by: ana)
            known.withLock { $0 = (ana, sale) }
        }
        return try #require(known.withLock { $0 })
    }

    /// What the node does by itself goes on if the endpoint that is left bears it out.
    static func asTheNode(
        _ node: RunningMarket,
        _ sale: String,
        _ harness: MarketHarness
    ) async throws {
        let chain = MarketChain(
            saleIndex: node.market.saleIndex,
            service: node.market.service,
            fees: FeePolicy(ceiling: .max)
        )
        let view = try #require(Self.view(node, sale))
        try await chain.confirm(view, acceptsOneSource: true)
        let refusal = await #expect(throws: Refusal.self) { try await chain.confirm(view) }
        #expect(refusal?.code == .oneSource)
    }
}
