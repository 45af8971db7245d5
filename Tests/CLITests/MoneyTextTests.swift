import Client
import Foundation
import Testing

@testable import CLI

/// Amounts in the units of a market's currencies.
struct MoneyTextTests {
    static let token = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    static let hostile = "0x77D93908Ca1cb75f3Fb71270b066baA9a1075191"
    static let units = CurrencyUnits([
        CurrencyUnit(chain: 8217, currency: "native", name: "Kaia", symbol: "KAIA", decimals: 18),
        CurrencyUnit(chain: 8217, currency: token, name: "Test", symbol: "TST", decimals: 2),
        CurrencyUnit(chain: 8217, currency: hostile, name: nil, symbol: nil, decimals: nil),
    ])

    /// Those of a node of two chains, on which both amounts of ETH and KAIA are `native`.
    static let several = CurrencyUnits([
        CurrencyUnit(chain: 1, currency: "native", name: "Ether", symbol: "ETH", decimals: 18),
        CurrencyUnit(chain: 8217, currency: "native", name: "Kaia", symbol: "KAIA", decimals: 18),
        CurrencyUnit(chain: 8217, currency: token, name: "Test", symbol: "TST", decimals: 2),
    ])

    private static func reading<Value>(_ body: () throws -> Value) rethrows -> Value {
        try CurrencyUnits.$current.withValue(units, operation: body)
    }

    @Test func `adds amounts of any size`() {
        let large = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
        #expect(MoneyText.sum([]) == "0")
        #expect(MoneyText.sum(["1", "x", "2"]) == "3")
        #expect(MoneyText.sum([large, "1"]).hasSuffix("639936"))
    }

    @Test(arguments: [
        ("12.50", token, "1250"), ("12.5 TST", token, "1250"), ("12.5tst", token, "1250"),
        ("7", token, "700"), ("7", hostile, "7"), ("0.5 KAIA", "native", "500000000000000000"),
        ("1 gwei", "native", "1000000000"), ("3 wei", "native", "3"),
    ])
    func `reads an amount in the unit of its currency`(
        text: String,
        currency: String,
        units: String
    ) throws {
        let read = try Self.reading { try MoneyText.units(text, of: currency) }
        #expect(read == units)
    }

    /// - From commands: an amount in a currency that the market does not have → exit 2
    /// - From commands: an invalid amount of a token: too many decimals, another currency, no
    ///   number → exit 2
    @Test(arguments: [
        ("12.505", token, "'12.505' has 3 digits after the point, and TST has at most 2."),
        ("0.5 KAIA", token, "'0.5 KAIA' is an amount of KAIA, but this is in TST."),
        ("0.5 ETH", "native", "'0.5 ETH' is not an amount. Write it as 0.5, '0.5 KAIA', "),
        (
            "0,5", "native",
            "'0,5' is not an amount. Write a point, not a comma, before the fraction. Write it as"
        ),
        ("5 gwei", token, "'5 gwei' is not an amount of TST. Write it as in 12.5."),
        (
            "0.5", hostile,
            "'0.5' has 1 digits after the point, and the token \(hostile) has at most 0."
        ),
        (
            "0.5", "EUR",
            "'EUR' is not a currency of this market: write 'native', a symbol such as KAIA, "
        ),
        ("x", hostile, "'x' is not an amount of the token \(hostile). Write it in its smallest"),
    ])
    func `says why an amount is invalid`(text: String, currency: String, words: String) {
        let error = #expect(throws: Failure.self) {
            try Self.reading { try MoneyText.units(text, of: currency) }
        }
        #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
    }

    /// - From commands: an amount of a token while the node does not report the market's currencies
    ///   → exit 7
    @Test func `reads a token amount only once the node has stated its unit`() {
        let error = #expect(throws: Failure.self) { try MoneyText.units("12", of: Self.token) }
        #expect(error?.message.hasPrefix("The node did not report the decimals") == true)
        #expect(error?.code == .network)
        let foreign = "0x" + String(repeating: "1", count: 40)
        let stranger = #expect(throws: Failure.self) {
            try Self.reading { try MoneyText.units("12", of: foreign) }
        }
        #expect(stranger?.message.contains("is not a currency of this market") == true)
    }

    @Test func `writes an amount with its symbol, or else its token's address`() {
        Self.reading {
            #expect(MoneyText.text("1250", Self.token) == "12.5 TST")
            #expect(MoneyText.text("1250", Self.token.lowercased()) == "12.5 TST")
            #expect(MoneyText.text("5", Self.token) == "0.05 TST")
            #expect(MoneyText.text("5", Self.hostile) == "5 units of \(Self.hostile)")
            #expect(MoneyText.text("500000000000000000", "native") == "0.5 KAIA")
        }
    }

    @Test func `rounds what a person pays up, and what a person gets down`() {
        let long = Money(amount: "1234567890123456789", currency: "native")
        #expect(MoneyText.text(long) == "≈ 1.234568 ETH")
        #expect(MoneyText.exact(long) == "1.234567890123456789 ETH")
        let wallet = Wallet(account: "0x1", chain: 1, balances: [long], credits: [], locked: [])
        #expect(WalletCommand.Balance.text(wallet).hasSuffix("balance  ≈ 1.234567 ETH"))
        let movements = [false, true].map { isIncoming in
            WalletMovement(
                chain: 1,
                kind: .sent,
                isIncoming: isIncoming,
                money: long,
                block: 1,
                at: Date(timeIntervalSince1970: 0)
            )
        }
        let history = WalletHistory.text(Page(items: movements, next: nil), .none)
        #expect(!history.contains("are missing"))
        var behind = Page(items: movements, next: nil)
        behind.completeTo = 41
        #expect(WalletHistory.text(behind, .none).contains("Movements after block 41 are missing"))
        #expect(history.contains("≈ -1.234568 ETH") && history.contains("≈ +1.234568 ETH"))
        var preview = ActionPreview(action: "send", summary: [])
        preview.leaves = [.init(purpose: "amount", amount: long.amount, currency: "native")]
        preview.total = [long]
        preview.comesBack = [
            .init(amount: long.amount, currency: "native", when: Sentence("back.onceMined"))
        ]
        let text = PreviewText.text(preview)
        #expect(text.contains("pay now 1.234567890123456789 ETH"))
        #expect(text.contains("back    ≈ 1.234567 ETH once it is mined"))
        #expect(PreviewText.question(preview) == "Sign it, and pay ≈ 1.234568 ETH at most?")
        var whole = CurrencyUnits()
        whole.areWhole = true
        CurrencyUnits.$current.withValue(whole) {
            let question = "Sign it, and pay 1.234567890123456789 ETH at most?"
            #expect(PreviewText.question(preview) == question)
        }
        var listing = Listing(
            id: "0x1.1",
            record: "0x4e",
            author: "0x1",
            content: ListingContent(title: "Lamp", price: long, payment: "auction"),
            anchor: nil,
            isAsPromised: true,
            salePhase: "ready",
            createdAt: Date(timeIntervalSince1970: 0),
            firstSeenAt: Date(timeIntervalSince1970: 0)
        )
        #expect(ListingText.page(Page(items: [listing], next: nil)).contains("from ≈ 1.234568"))
        listing.minimalBid = long
        #expect(ListingText.full(listing).contains("next bid   at least ≈ 1.234568 ETH"))
    }

    @Test func `rounds credits down, and fixed prices, their total and locked money up`() {
        let (low, high) = ("1234567100000000000", "1234567900000000000")
        let price = Money(amount: low, currency: "native")
        let credit = Wallet.Credit(
            contract: "0xe5",
            kind: "escrow",
            money: Money(amount: high, currency: "native"),
            sales: [Wallet.Part(sale: "0x5a", amount: high)]
        )
        let locked = Wallet.Locked(sale: "0x5a", kind: "escrow", phase: "paid", money: price)
        let wallet = Wallet(
            account: "0x1",
            chain: 1,
            balances: [],
            credits: [credit],
            locked: [locked]
        )
        let text = WalletCommand.Balance.text(wallet)
        #expect(text.contains("credit   ≈ 1.234567 ETH, held"))
        #expect(text.contains("         ≈ 1.234567 ETH of it by sale"))
        #expect(text.contains("locked   ≈ 1.234568 ETH, in"))
        let total = CartTotal(chain: 1, listings: 1, amount: price)
        #expect(SavedText.total(total) == "≈ 1.234568 ETH for one listing")
        var listing = NextStepTests.listing("pickup")
        listing.content.price = price
        #expect(ListingText.full(listing).contains("price      ≈ 1.234568 ETH"))
        #expect(ListingText.page(Page(items: [listing], next: nil)).contains("  ≈ 1.234568 ETH  "))
    }

    @Test func `names a currency by its symbol or address`() {
        #expect(Self.units.currency(named: "tst") == Self.token)
        #expect(Self.units.currency(named: "KAIA") == "native")
        #expect(Self.units.currency(named: "native") == "native")
        #expect(Self.units.currency(named: Self.hostile) == Self.hostile)
        #expect(Self.units.currency(named: "DAI") == "DAI")
    }

    @Test(arguments: [
        (["0.5"], "native", "500000000000000000"),
        (["0.5", "KAIA"], "native", "500000000000000000"),
        (["12.50", "TST"], token, "1250"), (["12.50TST"], token, "1250"),
        (["12.50 TST"], token, "1250"), (["MAX"], "native", "max"), (["max", "TST"], token, "max"),
        (["100", "gwei"], "native", "100000000000"), (["7", hostile], hostile, "7"),
        (["0.5", "native"], "native", "500000000000000000"), (["max", "native"], "native", "max"),
    ])
    func `reads an amount to send`(words: [String], currency: String, amount: String) throws {
        try Self.reading {
            let transfer = try WalletSend.transfer(of: words, to: "bob")
            #expect(transfer == Transfer(to: "bob", amount: amount, currency: currency))
        }
    }

    @Test func `sends the amount and receiver shown, whatever MAX and names mean now`() {
        var preview = ActionPreview(
            action: "send",
            summary: [],
            receiver: ActionPreview.Receiver(account: Self.token)
        )
        preview.leaves = [
            ActionPreview.Outgoing(purpose: "amount", amount: "70", currency: "native"),
            ActionPreview.Outgoing(purpose: "fee", amount: "3", currency: "native"),
        ]
        let agreed = WalletSend.agreed(Transfer(to: "bob", amount: "max"), in: preview)
        #expect(agreed == Transfer(to: Self.token, amount: "70"))
    }

    /// - From commands: sending an amount in something that is not a currency of the market → exit
    ///   2
    @Test(arguments: [
        ["5", "DAI"], ["MAX", "DAI"], ["5", "TST", "TST"], ["5TST", "TST"], ["-1"],
    ])
    func `refuses to send any currency that the market does not have`(words: [String]) {
        #expect(throws: Failure.self) {
            try Self.reading { try WalletSend.transfer(of: words, to: "bob") }
        }
    }

    /// Two chains: the first one's native currency is ETH, the second one's KAIA.
    private static func onTwoChains<Value>(_ body: () throws -> Value) rethrows -> Value {
        let both = CurrencyUnits([
            CurrencyUnit(
                chain: 1,
                currency: "native",
                name: "Ether",
                symbol: "ETH",
                decimals: 18
            ),
            CurrencyUnit(
                chain: 8217,
                currency: "native",
                name: "Kaia",
                symbol: "KAIA",
                decimals: 18
            ),
            CurrencyUnit(chain: 8217, currency: token, name: "Test", symbol: "TST", decimals: 2),
        ])
        return try CurrencyUnits.$current.withValue(both, operation: body)
    }

    @Test func `writes amounts in the currency of their chain`() {
        Self.onTwoChains {
            let texts = [1, 8_217].map { chain in
                CurrencyUnits.on(chain) { MoneyText.text("500000000000000000", "native") }
            }
            #expect(texts == ["0.5 ETH", "0.5 KAIA"])
            #expect(CurrencyUnits.current.chains == [1, 8_217])
        }
    }

    @Test func `a symbol that exists on only one chain identifies the chain`() {
        Self.onTwoChains {
            let units = CurrencyUnits.current
            #expect(units.chain(nil, in: "0.5 KAIA") == 8_217)
            #expect(units.chain(nil, in: "0.5eth") == 1)
            #expect(units.chain(nil, in: "12", "tst") == 8_217)
            #expect(units.chain(nil, in: "12", Self.token) == 8_217)
            #expect(units.chain(nil, in: "0.5", "native") == nil)
            #expect(units.chain(1, in: "0.5 KAIA") == 1)
        }
    }

    /// - From commands: an amount with the symbol of another chain's currency → exit 2
    @Test func `names the other chain if it refuses that chain's currency`() throws {
        try Self.onTwoChains {
            let own = try CurrencyUnits.on(8_217) {
                try MoneyText.units("0.5 KAIA", of: "native")
            }
            #expect(own == "500000000000000000")
            let error = #expect(throws: Failure.self) {
                try CurrencyUnits.on(1) { try MoneyText.units("0.5 KAIA", of: "native") }
            }
            #expect(error?.code == .usage)
            #expect(error?.message.contains("a currency of chain 8217") == true)
            #expect(error?.message.contains("--chain 8217") == true)
            let token = #expect(throws: Failure.self) {
                try CurrencyUnits.on(1) { try MoneyText.units("5", of: Self.token) }
            }
            #expect(token?.message.contains("a currency of chain 8217") == true)
        }
    }

    @Test(
        arguments: [
            (nil, "12.50 TST", token), (nil, "12.50tst", token), ("TST", "12.50", token),
            ("native", "12.50 TST", "native"), (nil, "0.5", "x"), (nil, "5 DAI", "x"),
            (nil, "0.5 KAIA", "native"), (nil, "100 gwei", "native"), (nil, "20wei", "native"),
            (nil, nil, "x"),
        ] as [(String?, String?, String)]
    )
    func `a price names its currency unless an option names one`(
        name: String?,
        price: String?,
        currency: String
    ) throws {
        let found = try CurrencyUnits.$current.withValue(Self.units) {
            try MoneyText.currency(named: name, in: nil, price, otherwise: "x")
        }
        #expect(found == currency)
    }

    @Test func `refuses a symbol that tokens on several chains share`() throws {
        let units = [1, 2].map { chain in
            CurrencyUnit(
                chain: chain,
                currency: "0x0\(chain)",
                name: nil,
                symbol: "USDC",
                decimals: 6
            )
        }
        let problems = CurrencyUnits.$current.withValue(CurrencyUnits(units)) {
            [Self.problem(nil, "5 USDC"), Self.problem("USDC", "5"), Self.problem("0x01", "5")]
        }
        #expect(problems == ["ambiguous_chain", "ambiguous_chain", nil])
        let found = try CurrencyUnits.$current.withValue(CurrencyUnits(units)) {
            try CurrencyUnits.on(2) { try MoneyText.currency(named: nil, in: "5 USDC") }
        }
        #expect(found == "0x02")
    }

    private static func problem(_ name: String?, _ price: String) -> String? {
        do {
            _ = try MoneyText.currency(named: name, in: price)
            return nil
        } catch {
            return (error as? Failure)?.problem ?? "\(error)"
        }
    }
}
