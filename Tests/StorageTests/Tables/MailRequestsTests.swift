import Keys
import Market
import Storage
import Support
import Testing

struct MailRequestsTests {
    private let ana = SampleRecords.key(1).address
    private var limits: StoreLimits {
        var limits = StoreLimits()
        (limits.requestsMax, limits.requestBytesMax) = (4, 1_000)
        return limits
    }

    private func id(_ number: Int) -> Bytes32 { Keccak256.hash("talk \(number)".utf8) }

    private func file(
        _ number: Int,
        from origin: UInt8,
        bytes: UInt64 = 10,
        in store: Store,
        seed: UInt64 = 1
    ) async throws -> [Bytes32] {
        try await store.write {
            var random = SeededRandom(seed: seed)
            return try $0.fileRequest(
                id(number),
                of: ana,
                from: Bytes32(repeating: origin),
                bytes: bytes,
                at: .sample(UInt64(number)),
                using: &random
            )
        }
    }

    /// - From peers: a flood of first contacts from very many addresses → a random request is
    ///   removed
    @Test func `evicts the request of a random origin if there are very many`() async throws {
        var gone: [Int: Int] = [:]
        for seed in 1...60 as ClosedRange<UInt64> {
            let folder = try TemporaryFolder()
            let store = try Store(folder: folder.path, limits: limits)
            for number in 0..<4 { _ = try await file(number, from: UInt8(number), in: store) }
            let evicted = try await file(4, from: 4, in: store, seed: seed)
            #expect(evicted.count == 1)
            let number = try #require((0...4).first { id($0) == evicted.first })
            gone[number, default: 0] += 1
        }
        // Neither the first nor the last is certain to go, or to stay.
        #expect(gone.count == 5 && gone.values.allSatisfy { $0 < 30 }, "\(gone)")
    }

    @Test func `a full box costs only the largest origin its oldest request`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        var evicted: [Bytes32] = []
        evicted += try await file(0, from: 9, in: store)
        for number in 1...8 { evicted += try await file(number, from: 1, in: store) }
        evicted += try await file(9, from: 2, in: store)
        #expect(evicted == (1...6).map(id))
        let held = try store.read { try $0.requests(of: ana) }
        #expect(Set(held.keys) == [id(0), id(7), id(8), id(9)])
    }

    @Test func `too many bytes cost the origin with the most bytes, not requests`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        _ = try await file(1, from: 1, bytes: 400, in: store)
        _ = try await file(2, from: 1, bytes: 400, in: store)
        #expect(try await file(3, from: 2, bytes: 400, in: store) == [id(1)])
        #expect(try await file(3, from: 2, bytes: 100, in: store) == [])
        #expect(try await file(3, from: 2, bytes: 900, in: store) == [id(3)])
        // An old one of few bytes stays, though its origin has as many as each other one.
        #expect(try await file(4, from: 5, in: store) == [])
        #expect(try await file(5, from: 3, bytes: 590, in: store) == [])
        #expect(try await file(6, from: 4, bytes: 500, in: store) == [id(5)])
        #expect(try Set(store.read { try $0.requests(of: ana).keys }) == [id(2), id(4), id(6)])
    }
}
