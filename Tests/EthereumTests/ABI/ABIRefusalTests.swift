import BigInt
import Ethereum
import Keys
import Testing

struct ABIRefusalTests {
    @Test(
        arguments: [
            ("uint8", "100", .word(offset: 0, type: .uint(bits: 8))),
            ("int8", "80", .word(offset: 0, type: .int(bits: 8))),
            ("bool", "2", .word(offset: 0, type: .bool)),
            ("address", "1" + zeros(40), .word(offset: 0, type: .address)),
            ("bytes31", "1", .word(offset: 0, type: .fixedBytes(count: 31))),
            ("function", "1", .word(offset: 0, type: .function)),
            ("uint256", "", .truncated(offset: 0)),
            ("uint256", "1,1", .trailingBytes(offset: 32)),
            ("bytes", "20", .truncated(offset: 32)),
            ("bytes", "40,0,0", .offset(at: 0)),
            ("bytes", "0,0", .offset(at: 0)),
            ("bytes", "20,1", .truncated(offset: 32)),
            ("bytes", "20,1,1", .word(offset: 32, type: .bytes)),
            ("bytes", "20,7fffffffffffffff", .truncated(offset: 32)),
            ("bytes", "20,ffffffffffffffff", .truncated(offset: 32)),
            ("string", "20,1,ff" + zeros(62), .text(offset: 32)),
            ("uint256[]", "20,2,1", .truncated(offset: 32)),
            ("uint256[]", "20,100000000000000,1", .truncated(offset: 32)),
            ("bytes[]", "20,2,40,40,0", .offset(at: 96)),
            ("bytes[2]", "20,40,60,0,0,0", .trailingBytes(offset: 160)),
        ] as [(String, String, ABIError)]
    )
    func `states the error and its place`(type: String, words: String, error: ABIError) throws {
        let bytes = try #require(Hex.decode(words.split(separator: ",").map(padded).joined()))
        #expect(throws: error) { try ABI.decode(bytes, as: [ABIType(text: type)]) }
    }

    @Test func `offsets to one shared tail do not multiply memory`() throws {
        let depth = 8
        var type = ABIType.bytes
        var words: [String] = []
        for _ in 0..<depth {
            type = .array(of: type)
            words += ["20", "2", "40"]
        }
        let bytes = try #require(Hex.decode(words.map { padded($0[...]) }.joined()))
        #expect(throws: ABIError.self) { try ABI.decode(bytes, as: [type]) }
    }

    @Test func `limits elements that take no bytes`() throws {
        let type = ABIType.array(of: .tuple([]))
        let count = String(1 << 16, radix: 16)
        let bytes = try #require(Hex.decode(padded("20") + padded(count[...])))
        #expect(throws: ABIError.truncated(offset: 32)) { try ABI.decode(bytes, as: [type]) }

        let wide = ABIType.fixedArray(of: .tuple([]), count: ABILimits.valuesMax + 1)
        #expect(throws: ABIError.tooManyValues(maximum: ABILimits.valuesMax)) {
            try ABI.decode([], as: [wide])
        }
    }

    @Test func `limits length and depth`() {
        let deep = (0..<40).reduce(ABIType.bool) { type, _ in .array(of: type) }
        #expect(throws: ABIError.tooDeep(maximum: ABILimits.depthMax)) {
            try ABI.decode([], as: [deep])
        }
        let long = [UInt8](repeating: 0, count: ABILimits.bytesMax + 1)
        #expect(throws: ABIError.tooLong(maximum: ABILimits.bytesMax)) {
            try ABI.decode(long, as: [.bytes])
        }
    }

    @Test(
        arguments: [
            (.uint(bits: 8), .uint(256)), (.int(bits: 8), .int(128)), (.int(bits: 8), .int(-129)),
            (.fixedBytes(count: 2), .fixedBytes([1])), (.function, .fixedBytes([1])),
            (.bool, .uint(1)), (.bytes, .string("")), (.string, .bytes([])),
            (.array(of: .bool), .tuple([])), (.tuple([]), .array([])),
        ] as [(ABIType, ABIValue)]
    )
    func `refuses to write values that the type cannot hold`(type: ABIType, value: ABIValue) {
        #expect(throws: ABIError.mismatch(type: type)) { try ABI.encode([value], as: [type]) }
    }

    @Test func `refuses too few or too many values`() {
        #expect(throws: ABIError.count(expected: 1, found: 0)) {
            try ABI.encode([], as: [.bool])
        }
        #expect(throws: ABIError.count(expected: 2, found: 1)) {
            try ABI.encode([.array([.bool(true)])], as: [.fixedArray(of: .bool, count: 2)])
        }
    }
}

private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

private func padded(_ digits: Substring) -> String { zeros(64 - digits.count) + digits }
