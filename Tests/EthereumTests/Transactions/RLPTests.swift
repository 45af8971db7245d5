import BigInt
import Ethereum
import Foundation
import Keys
import Support
import Testing

struct RLPTests {
    @Test func `encodes and decodes every vector`() throws {
        guard let vectors = try vectorObject("ethereum-tests/rlp.json") else { return }
        for (name, vector) in vectors {
            let vector = try #require(vector as? [String: Any])
            let item = try item(vector["in"])
            let encoded = try #require(Hex.decode(vector["out"] as? String ?? "?"))
            #expect(RLP.encode(item) == encoded, "\(name)")
            #expect(try RLP.decode(encoded) == item, "\(name)")
        }
        print("RLP vectors: \(vectors.count)")
    }

    @Test func `refuses every invalid vector`() throws {
        guard let vectors = try vectorObject("ethereum-tests/rlp-invalid.json") else { return }
        for (name, vector) in vectors {
            let vector = try #require(vector as? [String: Any])
            let bytes = try #require(Hex.decode(vector["out"] as? String ?? "?"))
            #expect(throws: RLPError.self, "\(name)") { try RLP.decode(bytes) }
        }
        print("RLP invalid vectors: \(vectors.count)")
    }

    @Test(
        arguments: [
            ("", .empty), ("81", .truncated(offset: 0)), ("8000", .trailingBytes(offset: 1)),
            ("c28105", .prefixedByte(offset: 1)), ("b801ff", .longLength(offset: 0)),
            ("b90001ff", .longLength(offset: 0)), ("c3830102", .truncated(offset: 1)),
            ("c282010203", .truncated(offset: 1)),
        ] as [(String, RLPError)]
    )
    func `states the error and its place`(hex: String, error: RLPError) throws {
        let bytes = try #require(Hex.decode(hex))
        #expect(throws: error) { try RLP.decode(bytes) }
    }

    @Test func `bounds length, depth and count`() {
        let limits = RLPLimits(bytesMax: 100, depthMax: 3, itemsMax: 10)
        let nested = RLP.encode(.list([.list([.list([])])]))
        #expect(throws: Never.self) { try RLP.decode(nested, limits: limits) }
        #expect(throws: RLPError.tooDeep(maximum: 3)) {
            try RLP.decode(RLP.encode(.list([.list([.list([.empty])])])), limits: limits)
        }
        #expect(throws: RLPError.tooManyItems(maximum: 10)) {
            try RLP.decode(
                RLP.encode(.list([RLPItem](repeating: .empty, count: 10))),
                limits: limits
            )
        }
        #expect(throws: RLPError.tooLong(maximum: 100)) {
            try RLP.decode([UInt8](repeating: 0, count: 101), limits: limits)
        }
        #expect(throws: RLPError.tooDeep(maximum: 16)) {
            try RLP.decode(RLP.encode((0..<500).reduce(.empty) { item, _ in .list([item]) }))
        }
    }

    @Test func `mutated bytes that decode encode to the same bytes`() throws {
        var random = SeededRandom(seed: 1)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = RLP.encode(randomItem(depth: 3, using: &random))
            random.spoil(&bytes)
            guard let item = try? RLP.decode(bytes) else { continue }  // refusal is an answer
            accepted += 1
            #expect(RLP.encode(item) == bytes)
        }
        #expect(accepted > 100)
    }

    private func randomItem(depth: Int, using random: inout SeededRandom) -> RLPItem {
        if depth == 0 || Bool.random(using: &random) {
            return .bytes(random.bytes(count: Int.random(in: 0...70, using: &random)))
        }
        let count = Int.random(in: 0...5, using: &random)
        return .list((0..<count).map { _ in randomItem(depth: depth - 1, using: &random) })
    }

    private func item(_ value: Any?) throws -> RLPItem {
        switch value {
        case let text as String where text.hasPrefix("#"):
            return .number(try #require(BigUInt(text.dropFirst(), radix: 10)))
        case let text as String: return .bytes([UInt8](text.utf8))
        case let number as NSNumber: return .small(number.uint64Value)
        case let list as [Any]: return .list(try list.map(item))
        default: throw VectorError.unexpected
        }
    }
}
