import Testing
import Texts

/// Amounts as people read them, and with all their digits.
struct AmountTextTests {
    @Test(
        arguments: [
            ("0", 18, "0"), ("500000000000000000", 18, "0.5"), ("12000000000000000000", 18, "12"),
            ("1", 18, "0.000000000000000001"), ("1234567", 18, "0.000000000001234567"),
            ("1250", 2, "12.5"), ("5", 2, "0.05"), ("123456789", 0, "123456789"),
            ("123456789", 2, "≈ 1234568"), ("100000001", 8, "≈ 1"),
            ("100000000123000000", 18, "≈ 0.1"), ("123456789012340000", 18, "≈ 0.1234568"),
            ("12345674", 8, "≈ 0.1234567"), ("12345675", 8, "≈ 0.1234568"),
            ("99999995", 8, "≈ 1"), ("99999994", 8, "≈ 0.9999999"), ("1999999950", 9, "≈ 2"),
            ("99999999999999999999", 18, "≈ 100"), ("123456789012345", 3, "≈ 123456789012"),
            ("000123456789", 9, "≈ 0.1234568"),
        ] as [(String, Int, String)]
    )
    func `rounds half up to seven digits, keeps the whole part, and says so`(
        amount: String,
        decimals: Int,
        text: String
    ) {
        #expect(AmountText.rounded(amount, decimals: decimals) == text)
    }

    @Test(
        arguments: [
            ("1000580644941190508", "≈ 1.000581", "≈ 1.00058"),
            ("20000000000000001", "≈ 0.02000001", "≈ 0.02"),
            ("8233333333333334", "≈ 0.008233334", "≈ 0.008233333"),
            ("999999999999999999", "≈ 1", "≈ 0.9999999"), ("500000000000000000", "0.5", "0.5"),
            ("1", "0.000000000000000001", "0.000000000000000001"), ("0", "0", "0"),
        ]
    )
    func `rounds what is paid up, and what is gained down`(amount: String, up: String, down: String)
    {
        #expect(AmountText.rounded(amount, decimals: 18, .up) == up)
        #expect(AmountText.rounded(amount, decimals: 18, .down) == down)
        let whole = AmountText.exact(amount, decimals: 18)
        #expect(AmountText.rounded(amount, decimals: 18, .whole) == whole)
    }

    @Test(
        arguments: [
            ("0", 18, "0"), ("1", 18, "0.000000000000000001"), ("99999995", 8, "0.99999995"),
            ("123456789012345678901", 18, "123.456789012345678901"), ("1250", 2, "12.5"),
            ("7", 0, "7"),
        ] as [(String, Int, String)]
    )
    func `writes all digits of an amount that a person can type again`(
        amount: String,
        decimals: Int,
        text: String
    ) {
        #expect(AmountText.exact(amount, decimals: decimals) == text)
    }

    @Test func `a rounded amount differs by half of its last digit at most`() throws {
        var seed: UInt64 = 7
        for _ in 0..<2_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let amount = seed >> (seed % 60)
            let text = AmountText.rounded("\(amount)", decimals: 12)
            guard text.hasPrefix("≈ ") else {
                #expect(text == AmountText.exact("\(amount)", decimals: 12))
                continue
            }
            let parts = text.dropFirst(2).split(separator: ".")
            let fraction = parts.count == 2 ? String(parts[1]) : ""
            let digits = parts[0] + fraction + String(repeating: "0", count: 12 - fraction.count)
            let read = try #require(UInt64(digits))
            var half: UInt64 = 5
            for _ in 0..<min(12, "\(amount)".count - 7) - 1 { half *= 10 }
            #expect(max(read, amount) - min(read, amount) <= half, "\(amount): \(text)")
        }
    }

    @Test(arguments: ["", "x", "-1", "é💰é💰é💰é💰é💰"])
    func `a text that is not a number still gives a text`(text: String) {
        #expect(!AmountText.rounded(text, decimals: 3).isEmpty)
        #expect(!AmountText.exact(text, decimals: 3).isEmpty)
    }
}
