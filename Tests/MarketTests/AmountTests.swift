import BigInt
import Market
import Support
import Testing

struct AmountTests {
    @Test func `holds at most 2²⁵⁶ − 1`() throws {
        let most = try #require(Amount(BigUInt(2).power(256) - 1))
        #expect(most == .max)
        #expect(Amount(BigUInt(2).power(256)) == nil)
        #expect(Amount.max.adding(Amount(small: 1)) == nil)
        #expect(Amount.zero.subtracting(Amount(small: 1)) == nil)
        #expect(Amount(decimal: most.decimal) == most)
        #expect(Amount(bigEndian: most.minimalBytes) == most)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", "0x10", " 1", "1e3", "١"])
    func `reads only decimal digits`(text: String) {
        #expect(Amount(decimal: text) == nil)
    }

    @Test(arguments: [(49, 200, 0), (50, 200, 1), (99, 200, 1), (10_000, 10_000, 10_000)])
    func `rounds a portion down`(units: UInt64, basisPoints: UInt64, expected: UInt64) {
        #expect(
            Amount(small: units).portion(basisPoints: basisPoints) == Amount(small: expected)
        )
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `computes the same results as a big integer`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func number() -> BigUInt {
            let count = Int.random(in: 0...32, using: &random)
            return random.bytes(count: count).reduce(0) { number, byte in
                number << 8 | BigUInt(random.next() % 4 == 0 ? 0xFF : byte)
            }
        }
        let (left, right) = (number(), number())
        let factor = random.next() >> (random.next() % 64)
        let basisPoints = random.next() % 10_001
        let amount = try #require(Amount(left))
        let other = try #require(Amount(right))
        #expect(amount.units == left)
        #expect(amount.decimal == "\(left)")
        #expect(Amount(decimal: "\(left)") == amount)
        #expect(Amount(bigEndian: amount.minimalBytes) == amount)
        #expect(amount.minimalBytes.first != 0)
        #expect((amount < other) == (left < right))
        #expect(amount.adding(other) == Amount(left + right))
        #expect(amount.subtracting(other) == (left < right ? nil : Amount(left - right)))
        #expect(amount.multiplied(by: factor) == Amount(left * BigUInt(factor)))
        #expect(
            amount.portion(basisPoints: basisPoints)
                == Amount(left * BigUInt(basisPoints) / 10_000)
        )
        let divisor = Swift.max(factor, 1)
        let (quotient, rest) = amount.quotientAndRemainder(dividingBy: divisor)
        #expect(quotient == Amount(left / BigUInt(divisor)))
        #expect(BigUInt(rest) == left % BigUInt(divisor))
    }
}
