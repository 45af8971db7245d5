import Ethereum
import Keys
import Testing

struct SourceLedgerTests {
    private let first = EndpointName("http://a")
    private let second = EndpointName("http://b")

    private func block(_ number: UInt64, fork: UInt64 = 0) -> BlockID {
        BlockID(number: number, hash: Bytes32(words: number, fork, 0, 0))
    }

    private func log(_ height: UInt64, _ index: UInt64, data: UInt8 = 0, fork: UInt64 = 0)
        -> ContractEvent
    {
        ContractEvent(
            block: block(height, fork: fork),
            index: index,
            transaction: .zero,
            address: .zero,
            topics: [],
            data: [data]
        )
    }

    private func question(_ ledger: SourceLedger, _ applied: UInt64, max: UInt64 = 1_000)
        -> SourceLedger.Question?
    {
        ledger.question(applied: applied, first: 5, blocksMax: max)
    }

    @Test func `asks other endpoints about each endpoint's own blocks, in order`() {
        var ledger = SourceLedger()
        #expect(question(ledger, 4) == nil)
        #expect(question(ledger, 9)?.source == nil)
        let isNews = [
            ledger.note(source: first, from: 5), ledger.note(source: first, from: 7),
            ledger.note(source: second, from: 8),
        ]
        #expect(isNews == [true, false, true])
        #expect(question(ledger, 9)?.range == 5...7)
        #expect(question(ledger, 9)?.source == first)
        #expect(question(ledger, 9, max: 2)?.range == 5...6)

        ledger.confirm(upTo: block(7))
        #expect(question(ledger, 9)?.range == 8...9)
        #expect(question(ledger, 9)?.source == second)
        ledger.confirm(upTo: block(9))
        #expect(question(ledger, 9) == nil)
    }

    @Test func `asks again about a block that was rolled back`() {
        var ledger = SourceLedger()
        _ = ledger.note(source: first, from: 5)
        let dispute = SourceDispute(block: block(8), source: first, other: second, lacking: [1])
        ledger.confirm(upTo: block(9), except: [dispute])
        #expect(ledger.disputes == [dispute])
        ledger.truncate(to: block(7))
        #expect(ledger.confirmed == block(7))
        #expect(ledger.disputes.isEmpty)
        _ = ledger.note(source: second, from: 8)
        #expect(question(ledger, 9)?.range == 8...9)
        #expect(question(ledger, 9)?.source == second)
        ledger.truncate(to: nil)
        #expect(ledger == SourceLedger())
    }

    @Test func `forgets which endpoints answered after too many changes`() {
        var ledger = SourceLedger()
        for height in 5..<100 as Range<UInt64> {
            _ = ledger.note(source: height % 2 == 0 ? first : second, from: height)
        }
        #expect(question(ledger, 120)?.range.lowerBound == 5)
        #expect(question(ledger, 120)?.source == nil)
    }

    @Test func `confirms nothing after many disputes`() {
        var ledger = SourceLedger()
        for height in 5..<(5 + UInt64(SourceLedger.disputesMax)) {
            #expect(question(ledger, 500) != nil)
            let dispute = SourceDispute(
                block: block(height),
                source: first,
                other: second,
                lacking: []
            )
            ledger.confirm(upTo: block(height), except: [dispute])
        }
        #expect(question(ledger, 500) == nil)
        ledger.settle(ledger.disputes[0])
        #expect(question(ledger, 500) != nil)
    }

    @Test func `reports differences block by block, the lowest first`() throws {
        let own = [log(6, 0), log(7, 0), log(7, 1), log(9, 0)]
        #expect(LogDifference.first(own: own, other: own.reversed()) == nil)
        let lacking = try #require(LogDifference.first(own: own, other: [log(6, 0), log(7, 0)]))
        #expect(lacking.block == block(7))
        #expect(lacking.onlyOwn == [log(7, 1)] && lacking.onlyOther.isEmpty)
        let changed = own.map { $0.block.number == 9 ? log(9, 0, data: 1) : $0 }
        let other = try #require(LogDifference.first(own: own, other: changed))
        #expect(other.onlyOwn == [log(9, 0)] && other.onlyOther == [log(9, 0, data: 1)])
        #expect(!other.isFork)
        let fork = LogDifference.first(own: [log(6, 0)], other: [log(6, 0, fork: 1)])
        #expect(fork?.isFork == true)
    }

    @Test func `survives encoding`() throws {
        var ledger = SourceLedger()
        _ = ledger.note(source: first, from: 5)
        _ = ledger.note(source: second, from: 20)
        let disputes = [
            SourceDispute(block: block(8), source: first, other: second, lacking: [1, 7]),
            SourceDispute(
                block: block(9),
                source: nil,
                other: second,
                lacking: [],
                missing: [Bytes32(repeating: 3), Bytes32(repeating: 4)]
            ),
        ]
        ledger.confirm(upTo: block(9), except: disputes)
        let bytes = ledger.storedBytes
        #expect(try SourceLedger(storedBytes: bytes) == ledger)
        for count in bytes.indices {
            #expect(throws: StoredValueError.self) {
                try SourceLedger(storedBytes: Array(bytes.prefix(count)))
            }
        }
    }
}
