import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

@testable import Trade

/// Which questions about tokens reach the chain.
struct ItemCacheTests {
    /// A chain that counts what it is asked; it has all tokens below 100.
    private final class CountingSource: ItemSource {
        private struct State {
            var height: UInt64 = 1
            var asked: [String] = []
        }

        private let state = Mutex(State())

        var block: BlockID? {
            state.withLock { BlockID(number: $0.height, hash: Bytes32(words: $0.height, 1, 0, 0)) }
        }

        /// Makes a block, in which every token gets another owner.
        func mine() { state.withLock { $0.height += 1 } }

        /// Returns what was asked since the last call.
        func taken() -> [String] {
            state.withLock { state in
                defer { state.asked = [] }
                return state.asked
            }
        }

        private func ask(_ question: String) { state.withLock { $0.asked.append(question) } }

        func maker(of token: Amount) async throws -> Address {
            ask("maker")
            return token < Amount(small: 100) ? testKey(1).address : .zero
        }

        func contentHash(of token: Amount) async throws -> Bytes32 {
            ask("content")
            return Bytes32(repeating: 7)
        }

        func owner(of token: Amount) async throws -> Address {
            ask("owner")
            return testKey(UInt8(state.withLock { $0.height })).address
        }
    }

    @Test func `asks for a token once, then only for its owner after a new block`() async throws {
        let (cache, source) = (ItemCache(), CountingSource())
        let token = Amount(small: 7)
        let first = try await cache.details(of: token, from: source)
        #expect(source.taken() == ["maker", "content", "owner"])
        #expect(try await cache.details(of: token, from: source) == first)
        #expect(source.taken().isEmpty)
        source.mine()
        let later = try #require(try await cache.details(of: token, from: source))
        #expect(source.taken() == ["owner"])
        #expect(later.owner == testKey(2).address && later.maker == first?.maker)
    }

    @Test func `asks for an unused number each time and stores nothing`() async throws {
        let (cache, source) = (ItemCache(), CountingSource())
        for _ in 0..<2 {
            #expect(try await cache.details(of: Amount(small: 100), from: source) == nil)
            #expect(source.taken() == ["maker"])
        }
    }

    @Test func `stores at most as many tokens as the limit`() async throws {
        let (cache, source) = (ItemCache(countMax: 3), CountingSource())
        for number in UInt64(1)...4 {
            _ = try await cache.details(of: Amount(small: number), from: source)
        }
        _ = source.taken()
        _ = try await cache.details(of: Amount(small: 4), from: source)
        #expect(source.taken().isEmpty)
        _ = try await cache.details(of: Amount(small: 1), from: source)
        #expect(source.taken() == ["maker", "content", "owner"])
    }
}
