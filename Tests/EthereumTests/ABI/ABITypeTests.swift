import Ethereum
import Support
import Testing

struct ABITypeTests {
    @Test(
        arguments: [
            ("uint", .uint256), ("int", .int(bits: 256)), ("uint8", .uint(bits: 8)),
            ("bytes32", .bytes32), ("bytes", .bytes), ("function", .function),
            ("uint8[2][]", .array(of: .fixedArray(of: .uint(bits: 8), count: 2))),
            ("(address,string[])", .tuple([.address, .array(of: .string)])),
            (
                "tuple(bool,(int8)[3])",
                .tuple([.bool, .fixedArray(of: .tuple([.int(bits: 8)]), count: 3)])
            ),
        ] as [(String, ABIType)]
    )
    func `reads a type from text`(text: String, type: ABIType) throws {
        #expect(try ABIType(text: text) == type)
    }

    @Test(
        arguments: [
            ("", .malformed("")), ("uint7", .size("uint7")), ("uint264", .size("uint264")),
            ("uint08", .size("uint08")), ("int0", .size("int0")), ("bytes0", .size("bytes0")),
            ("bytes33", .size("bytes33")), ("uint[0]", .size("uint[0]")),
            ("uint[-1]", .malformed("uint[-1]")), ("uint[", .malformed("uint[")),
            ("uint256]", .malformed("uint256]")), ("(uint", .malformed("(uint")),
            ("()", .malformed("()")), ("(uint,)", .malformed("(uint,)")),
            ("address payable", .malformed("address payable")), ("mapping", .unknown("mapping")),
            ("fixed", .fixedPoint("fixed")), ("ufixed128x18", .fixedPoint("ufixed128x18")),
            ("uint[9999999999]", .size("uint[9999999999]")),
            ("uint[999999999]", .tooLarge), ("bytes[999999999]", .tooLarge),
            ("uint[1000][1000][1000][1000][1000][1000][1000]", .tooLarge),
            ("uint" + String(repeating: "[]", count: 17), .tooLarge),
            (String(repeating: "(", count: 1_000), .tooLarge),
            (String(repeating: "(", count: 5_000), .tooLong),
        ] as [(String, ABITypeError)]
    )
    func `gives the reason why a text is not a type`(text: String, error: ABITypeError) {
        #expect(throws: error) { try ABIType(text: text) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `every type can be read back from its name`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let type = ABIType.random(depth: 4, using: &random)
        #expect(try ABIType(text: type.canonicalName) == type)
    }
}
