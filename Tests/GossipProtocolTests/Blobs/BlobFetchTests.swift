import GossipProtocol
import Market
import Support
import Testing

struct BlobFetchTests {
    private static func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    @Test func `asks each peer for different chunks, adjacent ones together`() {
        var fetch = BlobFetch(missing: Array(0..<40), limits: BlobExchangeLimits())

        #expect(fetch.next(for: Self.peer(1), among: 2) == 0..<16)
        #expect(fetch.next(for: Self.peer(2), among: 2) == 16..<28)
        #expect(fetch.next(for: Self.peer(1), among: 2) == 28..<34)
    }

    @Test func `asks only for missing chunks`() {
        var fetch = BlobFetch(missing: [3, 4, 9], limits: BlobExchangeLimits())

        #expect(fetch.next(for: Self.peer(1), among: 1) == 3..<5)
        #expect(fetch.next(for: Self.peer(1), among: 1) == 9..<10)
        #expect(fetch.next(for: Self.peer(1), among: 1) == nil)
        #expect(fetch.received(4) && fetch.received(3) && fetch.received(9))
        #expect(!fetch.received(9) && fetch.isComplete)
    }

    @Test func `asks another peer for chunks that one does not deliver`() {
        var fetch = BlobFetch(missing: [0, 1], limits: BlobExchangeLimits())
        #expect(fetch.next(for: Self.peer(1), among: 1) == 0..<2)
        // Two peers at most fetch the same chunk.
        #expect(fetch.next(for: Self.peer(2), among: 2) == 0..<1)
        #expect(fetch.next(for: Self.peer(2), among: 2) == 1..<2)
        #expect(fetch.next(for: Self.peer(3), among: 3) == nil)

        // But for one that is quick while the others are not.
        #expect(fetch.next(for: Self.peer(5), among: 3, mayRepeat: true) == 0..<1)
        fetch.gaveUp(Self.peer(5))
        fetch.gaveUp(Self.peer(1))
        #expect(fetch.next(for: Self.peer(3), among: 1) == 0..<2)
        #expect(fetch.next(for: Self.peer(4), among: 1) == nil)
        // When nothing comes at all, others are asked although nobody has given up.
        fetch.stalled()
        #expect(fetch.next(for: Self.peer(4), among: 1) == 0..<2)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `gets every chunk if one peer is honest, whatever the others do`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 1...240, using: &random)
        var fetch = BlobFetch(missing: Array(0..<count), limits: BlobExchangeLimits())
        var asked: [UInt8: [Int]] = [1: [], 2: [], 3: []]
        var taken = 0
        var steps = 0
        while !fetch.isComplete {
            steps += 1
            #expect(steps < 10_000)
            guard steps < 10_000 else { return }
            let number = UInt8.random(in: 1...3, using: &random)
            if asked[number] == [] {
                guard let run = fetch.next(for: Self.peer(number), among: 3) else { continue }
                #expect(run.count <= 16 && run.upperBound <= count)
                asked[number] = Array(run)
            } else if number == 1 || random.next() % 4 == 0 {
                let chunk = asked[number]?.removeFirst() ?? 0
                if fetch.received(chunk) { taken += 1 }
            } else if random.next() % 8 == 0 {
                fetch.gaveUp(Self.peer(number))
                asked[number] = []
            }
        }
        #expect(taken == count)
    }
}
