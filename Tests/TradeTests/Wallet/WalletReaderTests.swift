import Answers
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

@testable import Trade

/// What is read of an account's money, from endpoints that a test scripts.
@Suite(.timeLimit(.minutes(1)))
struct WalletReaderTests {
    private static let ana = testKey(1).address
    private static let bo = testKey(2).address
    private static let token = testKey(9).address

    private static func market() throws -> DeployedMarket {
        let fees = MarketFees(platformBasisPoints: 0, makerBasisPoints: 0, platform: bo)
        return DeployedMarket(
            chain: ChainID(5),
            item: location,
            contracts: [
                DeployedMarket.Contract(
                    kind: .direct,
                    location: location,
                    fees: try #require(fees),
                    tokens: [token]
                )
            ],
            tokens: [DeployedMarket.Token(address: token, symbol: "TST", decimals: 2)]
        )
    }

    private static let location = DeployedMarket.Location(
        address: testKey(8).address,
        firstBlock: 0,
        creation: ContractCreation(factory: bo, salt: .zero, arguments: [])
    )

    /// A reader with one endpoint for each of the chains.
    private static func reader(_ chains: WalletChain...) throws -> WalletReader {
        try reader(chains)
    }

    private static func reader(_ chains: [WalletChain]) throws -> WalletReader {
        let transport = FakeTransport()
        let endpoints = try chains.indices.map { try Endpoint(url: "http://e\($0).example") }
        for (endpoint, chain) in zip(endpoints, chains) {
            transport.set(endpoint) { try chain.answer($0) }
        }
        return try reader(endpoints, transport)
    }

    private static func reader(
        _ endpoints: [Endpoint],
        _ transport: FakeTransport
    ) throws -> WalletReader {
        WalletReader(
            client: ChainClient(
                chain: ChainID(5),
                endpoints: endpoints,
                transport: transport,
                logger: quiet
            ),
            deployment: try market(),
            account: ana,
            purposes: { [:] }
        )
    }

    private static func transfer(_ block: UInt64, _ index: UInt64, _ amount: UInt64)
        -> WalletChain.Transfer
    {
        WalletChain.Transfer(
            block: block,
            index: index,
            token: token,
            from: bo,
            to: ana,
            amount: amount
        )
    }

    /// Reads everything after block 0, part by part.
    private static func all(
        _ reader: WalletReader,
        upTo last: UInt64
    ) async throws -> [MoneyMovement] {
        var place = try #require(try await reader.start(at: 0))
        var found: [MoneyMovement] = []
        while place.block.number < last {
            let part = try #require(try await reader.part(after: place, upTo: last))
            found += part.movements.map(\.movement)
            place = part.place
        }
        return found
    }

    @Test func `reads all token transfers among any number of empty ones`() async throws {
        var chain = WalletChain()
        // Anybody can have the token tell of transfers of nothing, from whomever to whomever.
        chain.transfers = (0..<3_000).map { Self.transfer(10 + $0 / 100, $0, 0) }
        chain.transfers += (0..<1_200).map { Self.transfer(50 + $0 / 20, 5_000 + $0, $0 + 1) }
        let found = try await Self.all(try Self.reader(chain, chain), upTo: 200)
        #expect(found.count == 1_200)
        #expect(found.map(\.amount) == (1...1_200).map { Amount(small: $0) })
        #expect(found.first?.time.seconds == 1_050)
    }

    @Test func `asks for fewer blocks if an endpoint allows only few at a time`() async throws {
        var chain = WalletChain()
        chain.rangeMax = 10
        chain.transfers = [Self.transfer(7, 0, 5), Self.transfer(95, 0, 6)]
        chain.balances[60] = 70
        let found = try await Self.all(try Self.reader(chain), upTo: 100)
        #expect(found.map(\.amount) == [5, 70, 6].map { Amount(small: $0) })
    }

    /// What one of two endpoints invents.
    enum Lie: CaseIterable {
        case transfer, hiddenTransfer, stateInBetween, start, sender, time
    }

    private static func pair(_ lie: Lie) -> (honest: WalletChain, liar: WalletChain) {
        var honest = WalletChain()
        honest.transfers = [transfer(30, 0, 5)]
        honest.balances[40] = 100
        honest.payments[40] = [(from: bo, to: ana, value: 100)]
        var liar = honest
        switch lie {
        case .transfer: liar.transfers.append(transfer(31, 0, 1_000_000))
        case .hiddenTransfer: liar.transfers = []
        case .stateInBetween: (liar.balances[25], liar.balances[26]) = (999, 0)
        case .start: (liar.balances[0], liar.balances[1]) = (999, 0)
        case .sender: liar.payments[40] = [(from: token, to: ana, value: 100)]
        case .time: liar.secondsLater = 60
        }
        return (honest, liar)
    }

    @Test(arguments: Lie.allCases, [true, false])
    func `one endpoint alone can neither invent nor hide a movement`(lie: Lie, isFirst: Bool)
        async throws
    {
        let (honest, liar) = Self.pair(lie)
        let reader = isFirst ? try Self.reader(liar, honest) : try Self.reader(honest, liar)
        guard let start = try await reader.start(at: 0) else {
            #expect(lie == .start || lie == .time)
            return
        }
        let part = try await reader.part(after: start, upTo: 50)
        // What the second endpoint says of blocks that nobody asks it for does no harm.
        let told = part?.movements.map(\.movement.amount)
        let isHarmless = lie == .stateInBetween && !isFirst
        #expect(told == (isHarmless ? [100, 5].map { Amount(small: $0) } : nil))
    }

    @Test func `waits for a missing block instead of skipping it`() async throws {
        var chain = WalletChain()
        chain.balances[40] = 100
        chain.payments[40] = [(from: Self.bo, to: Self.ana, value: 100)]
        chain.missing = [40]
        let reader = try Self.reader(chain)
        let start = try #require(try await reader.start(at: 0))
        let part = try await reader.part(after: start, upTo: 50)
        #expect(part == nil)
    }

    @Test func `rejects a cursor only if two endpoints deny it`() async throws {
        let honest = WalletChain()
        var fork = honest
        fork.branch = 7
        let place = try #require(try await Self.reader(honest).start(at: 5))
        #expect(try await Self.reader(fork, honest).holds(place))
        #expect(try await Self.reader(honest, fork).holds(place))
        #expect(try await !Self.reader(fork, fork).holds(place))
        #expect(try await !Self.reader(fork).holds(place))
    }

    /// - From endpoints: a history that two others do not have → theirs is read
    @Test(arguments: Lie.allCases, 0..<3)
    func `two of three endpoints tell the history`(lie: Lie, place: Int) async throws {
        let (honest, liar) = Self.pair(lie)
        var chains = [honest, honest]
        chains.insert(liar, at: place)
        let reader = try Self.reader(chains)
        let start = try #require(try await reader.start(at: 0))
        let part = try #require(try await reader.part(after: start, upTo: 50))
        #expect(part.movements.map(\.movement.amount) == [100, 5].map { Amount(small: $0) })
        #expect(part.movements.map(\.movement.other) == [Self.bo, Self.bo])
    }

    @Test func `reads nothing from one of several while the others are away`() async throws {
        let transport = FakeTransport()
        let endpoints = try (0..<3).map { try Endpoint(url: "http://e\($0).example") }
        transport.set(endpoints[1]) { try WalletChain().answer($0) }
        let reader = try Self.reader(endpoints, transport)
        let start = try await reader.start(at: 0)
        #expect(start == nil)
    }
}
