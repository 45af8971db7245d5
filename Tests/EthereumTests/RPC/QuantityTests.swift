import Ethereum
import Foundation
import Market
import Testing

struct QuantityTests {
    private static func read(_ text: String) -> Amount? {
        try? JSONDecoder().decode([Quantity].self, from: Data(#"["\#(text)"]"#.utf8)).first?.amount
    }

    @Test func `reads numbers of up to 256 bits, with leading zeros`() {
        #expect(Self.read("0x0") == .zero && Self.read("0x000") == .zero)
        #expect(Self.read("0xfF") == Amount(small: 255))
        #expect(Self.read("0xffffffffffffffff") == Amount(small: .max))
        #expect(Self.read("0x10000000000000000") == Amount(small: .max).adding(Amount(small: 1)))
        #expect(Self.read("0x" + String(repeating: "0", count: 47) + "10000000000000001") != nil)
        #expect(Self.read("0x" + String(repeating: "f", count: 64)) == .max)
    }

    @Test(arguments: ["", "0", "0x", "x1", "1x1", "0xg", "0x1g", "0x-1", "0x1 ", "0X1", "0x１"])
    func `refuses text that is not a number`(text: String) {
        #expect(Self.read(text) == nil)
    }

    @Test func `refuses more than 64 digits, even if they are zeros`() {
        #expect(Self.read("0x" + String(repeating: "0", count: 65)) == nil)
        #expect(Self.read("0x" + String(repeating: "0", count: 16) + "g") == nil)
    }
}
