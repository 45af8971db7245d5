import BigInt
import Ethereum
import Keys
import Testing

struct ABIPackedTests {
    @Test func `packs the specification's example`() throws {
        let packed = try ABI.encodePacked(
            [.int(-1), .fixedBytes([0x42]), .uint(0x03), .string("Hello, world!")],
            as: [.int(bits: 16), .fixedBytes(count: 1), .uint(bits: 16), .string]
        )
        #expect(Hex.encode(packed) == "ffff42000348656c6c6f2c20776f726c6421")
    }

    @Test func `pads only the elements of arrays`() throws {
        let packed = try ABI.encodePacked(
            [.array([.uint(1), .uint(2)]), .bool(true), .address(.zero)],
            as: [.array(of: .uint(bits: 8)), .bool, .address]
        )
        let zeros = [UInt8](repeating: 0, count: 31)
        #expect(packed == zeros + [1] + zeros + [2] + [1] + [UInt8](repeating: 0, count: 20))
    }

    @Test func `refuses values without a packed form`() {
        for type in [ABIType.array(of: .string), .tuple([]), .array(of: .array(of: .bool))] {
            #expect(throws: ABIError.mismatch(type: type)) {
                try ABI.encodePacked([.array([])], as: [type])
            }
        }
    }
}
