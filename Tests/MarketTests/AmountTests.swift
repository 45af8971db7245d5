import BigInt
import Market
import Testing

struct AmountTests {
    @Test func `holds 2²⁵⁶ − 1 and no more`() throws {
        let most = try #require(Amount(BigUInt(2).power(256) - 1))
        #expect(most == .max)
        #expect(Amount(BigUInt(2).power(256)) == nil)
        #expect(Amount.max.adding(Amount(small: 1)) == nil)
        #expect(Amount.zero.subtracting(Amount(small: 1)) == nil)
        #expect(Amount(decimal: most.decimal) == most)
        #expect(Amount(bigEndian: most.minimalBytes) == most)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", "0x10", " 1", "1e3", "١"])
    func `reads decimal digits only`(text: String) {
        #expect(Amount(decimal: text) == nil)
    }

    @Test(arguments: [(49, 200, 0), (50, 200, 1), (99, 200, 1), (10_000, 10_000, 10_000)])
    func `rounds a portion down`(units: UInt64, basisPoints: UInt64, expected: UInt64) {
        #expect(
            Amount(small: units).portion(basisPoints: basisPoints) == Amount(small: expected)
        )
    }
}
