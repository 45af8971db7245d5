import Keys
import Market
import Support
import Testing
import Texts

/// How currencies are called, whatever a token says of itself.
struct CurrencyRegistryTests {
    private static let token = testKey(1).address
    private static let other = testKey(2).address

    private static func registry(_ tokens: (Address, CurrencyDescription)...) -> CurrencyRegistry {
        CurrencyRegistry(chain: ChainID(1), tokens: tokens)
    }

    private static func described(
        _ symbol: String?,
        decimals: UInt64? = 2,
        name: String? = "Test"
    ) -> CurrencyDescription {
        CurrencyDescription(name: name, symbol: symbol, decimals: decimals)
    }

    @Test func `writes amounts in the unit of their currency`() {
        let registry = Self.registry((Self.token, Self.described("TST")))
        let half = Amount(small: 500_000_000_000_000_000)
        #expect(registry.text(half, in: .native) == "0.5 ETH")
        #expect(registry.text(Amount(small: 1_250), in: .token(Self.token)) == "12.5 TST")
        #expect(registry.text(Amount(small: 5), in: .token(Self.token)) == "0.05 TST")
        #expect(registry.text(.zero, in: .token(Self.token)) == "0 TST")
        #expect(
            registry.text(Amount(small: 7), in: .token(Self.other))
                == "7 units of token \(Self.other.checksummed)"
        )
    }

    /// - From people: a token with a deceptive symbol or name, or with more than 36 decimals →
    ///   shown by its address
    @Test(arguments: [
        "", "a very long symbol", "TST\u{202E}", "T\u{7}", "T ST", "ТST", "12345", "ETH", "eth",
        "wei", "MAX", "0xTST", "0x5aAeb6053", "💰", "ETH.", "E-TH", "$ETH", "We1", "gwe-l",
    ])
    func `shows a token with a deceptive symbol by its address`(symbol: String) {
        let registry = Self.registry((Self.token, Self.described(symbol)))
        let entry = registry[.token(Self.token)]
        #expect(entry?.symbol == nil && entry?.name == nil && entry?.decimals == 2)
        #expect(
            registry.text(Amount(small: 1_250), in: .token(Self.token))
                == "12.5 of token \(Self.token.checksummed)"
        )
    }

    @Test func `writes a sentence's amounts in units, and leaves a title as it is`() {
        let registry = Self.registry((Self.token, Self.described("TST")))
        let title = "1250 units of token \(Self.token.checksummed)"
        func text(_ price: String) -> String {
            let values = ["title": title, "price": price]
            return Sentence("direct.youOffer", values).written(in: registry).detail
        }
        func expected(_ price: String) -> String {
            "You offer '\(title)' for \(price), without a deposit."
        }
        #expect(text("1250 \(Self.token.checksummed) 1") == expected("12.5 TST"))
        let other = Self.other.checksummed
        #expect(text("7 \(other) 1") == expected("7 units of token \(other)"))
        #expect(text("500000000000000000 native 1") == expected("0.5 ETH"))
        #expect(text("7 0x 1") == expected("7 units of token 0x"))
    }

    @Test(arguments: [("TST", "tst"), ("USDC", "USDC."), ("DAI", "DAl"), ("COIN", "C01N")])
    func `shows two tokens with lookalike symbols by their addresses`(
        one: String,
        other: String
    ) {
        let registry = Self.registry(
            (Self.token, Self.described(one)),
            (Self.other, Self.described(other))
        )
        #expect(registry.entries.dropFirst().allSatisfy { $0.symbol == nil })
    }

    @Test func `shows the symbols of tokens that look different`() {
        let registry = Self.registry(
            (Self.token, Self.described("USDC")),
            (Self.other, Self.described("USDC.e"))
        )
        #expect(registry.entries.map(\.symbol) == ["ETH", "USDC", "USDC.e"])
    }

    @Test(arguments: [nil, 37, 255, 1_000] as [UInt64?])
    func `writes amounts of a token with absurd decimals in the smallest unit`(decimals: UInt64?) {
        let registry = Self.registry((Self.token, Self.described("TST", decimals: decimals)))
        #expect(
            registry.text(Amount(small: 5), in: .token(Self.token))
                == "5 units of token \(Self.token.checksummed)"
        )
    }

    @Test func `shows a token's name only if it fits on one line`() {
        for name in ["Two\nlines", "", String(repeating: "n", count: 65), "\u{200B}"] {
            let registry = Self.registry((Self.token, Self.described("TST", name: name)))
            #expect(registry[.token(Self.token)]?.name == nil)
        }
    }

    @Test func `uses the market file's symbol for the native currency, or the usual`() {
        let named = CurrencyRegistry(
            chain: ChainID(31_337),
            native: CurrencyDescription(name: "Play", symbol: "PLAY", decimals: 18)
        )
        #expect(named.native.symbol == "PLAY" && named.native.decimals == 18)
        #expect(CurrencyRegistry(chain: ChainID(8_217)).native.symbol == "KAIA")
        let hostile = CurrencyRegistry(
            chain: ChainID(1),
            native: CurrencyDescription(symbol: "0x12")
        )
        #expect(hostile.native.symbol == "ETH")
        // Prices of half an ether are not to look like half a dollar.
        let dollar = CurrencyDescription(name: "USD Coin", symbol: "USDC", decimals: 18)
        let known = CurrencyRegistry(chain: ChainID(1), native: dollar)
        #expect(known.native.symbol == "ETH" && known.native.name == "ETH")
    }
}
