import BigInt
import Ethereum
import Foundation
import Keys
import Support
import Testing

struct ABITests {
    @Test func `encodes and decodes every vector`() throws {
        guard let vectors = try vectorObject("ethereum-tests/abi.json") else { return }
        for (name, vector) in vectors {
            let vector = try #require(vector as? [String: Any])
            let types = try #require(vector["types"] as? [String]).map { try ABIType(text: $0) }
            let arguments = try #require(vector["args"] as? [Any])
            let values = try zip(arguments, types).map { try value($0, $1) }
            let encoded = try #require(Hex.decode(vector["result"] as? String ?? "?"))
            #expect(try ABI.encode(values, as: types) == encoded, "\(name)")
            #expect(try ABI.decode(encoded, as: types) == values, "\(name)")
        }
        print("ABI vectors: \(vectors.count)")
    }

    @Test func `encodes the specification's example of nested arrays`() throws {
        let types = try ABIType.parameters(ofSignature: "g(uint256[][],string[])")
        let values: [ABIValue] = [
            .array([.array([.uint(1), .uint(2)]), .array([.uint(3)])]),
            .array([.string("one"), .string("two"), .string("three")]),
        ]
        let words = [
            "40", "140", "2", "40", "a0", "2", "1", "2", "1", "3", "3", "60", "a0", "e0", "3",
        ].map { String(repeating: "0", count: 64 - $0.count) + $0 }
        let text = { (length: String, digits: String) in
            length + digits + String(repeating: "0", count: 64 - digits.count)
        }
        let zeros = String(repeating: "0", count: 63)
        let expected =
            words.dropLast().joined() + text(zeros + "3", "6f6e65") + text(zeros + "3", "74776f")
            + text(zeros + "5", "7468726565")

        #expect(Hex.encode(try ABI.encode(values, as: types)) == expected)
        #expect(try ABI.decode(#require(Hex.decode(expected)), as: types) == values)
        #expect(FunctionSelector(signature: "g(uint256[][],string[])").description == "0x2289b18c")
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `an encoded value decodes to itself`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let types = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            ABIType.random(depth: 3, using: &random)
        }
        let values = types.map { $0.randomValue(using: &random) }
        let encoded = try ABI.encode(values, as: types)

        #expect(encoded.count.isMultiple(of: 32))
        #expect(try ABI.decode(encoded, as: types) == values)
        for count in 0..<min(encoded.count, 2_000) {
            #expect(throws: ABIError.self, "\(types) cut to \(count)") {
                try ABI.decode([UInt8](encoded[..<count]), as: types)
            }
        }
    }

    @Test func `mutated bytes that decode encode to the same bytes`() throws {
        var random = SeededRandom(seed: 3)
        var accepted = 0
        for _ in 0..<300 {
            let types = (0..<3).map { _ in ABIType.random(depth: 3, using: &random) }
            let encoded = try ABI.encode(
                types.map { $0.randomValue(using: &random) },
                as: types
            )
            for _ in 0..<50 {
                var bytes = encoded
                random.spoil(&bytes)
                guard let values = try? ABI.decode(bytes, as: types) else { continue }
                accepted += 1
                #expect(try ABI.encode(values, as: types) == bytes)
            }
        }
        #expect(accepted > 100)
    }

    @Test func `garbage never crashes the decoder`() throws {
        var random = SeededRandom(seed: 4)
        for _ in 0..<20_000 {
            let type = ABIType.random(depth: 4, using: &random)
            var bytes = [UInt8](repeating: 0, count: 32 * Int.random(in: 0...8, using: &random))
            for start in stride(from: 31, to: bytes.count, by: 32) {
                bytes[start] = [0, 1, 0x20, 0x40, 0x60, 0xFF][Int(random.next() % 6)]
                if random.next() % 8 == 0 { bytes[start - 8] = 0x7F }
            }
            guard let values = try? ABI.decode(bytes, as: [type]) else { continue }
            #expect(try ABI.encode(values, as: [type]) == bytes)
        }
    }

    private func value(_ json: Any, _ type: ABIType) throws -> ABIValue {
        switch (type, json) {
        case (.uint, let number as NSNumber): return .small(number.uint64Value)
        case (.address, let text as String): return .address(try Address(text: text))
        case (.fixedBytes, let text as String): return .fixedBytes([UInt8](text.utf8))
        case (.bytes, let text as String): return .bytes([UInt8](text.utf8))
        case (.array(let element), let list as [Any]):
            return .array(try list.map { try value($0, element) })
        default: throw VectorError.unexpected
        }
    }
}
