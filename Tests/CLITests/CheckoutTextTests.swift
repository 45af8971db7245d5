import ArgumentParser
import Client
import Testing

@testable import CLI

/// What a checkout shows before and after it.
struct CheckoutTextTests {
    private static func line(_ title: String, _ amounts: (String, String)...) -> CheckoutLine {
        let total = amounts.map { Money(amount: $0.0, currency: $0.1) }
        let preview = ActionPreview(action: "buy", subject: "0x5a1e", summary: [], total: total)
        return CheckoutLine(listing: "0x1.1", title: title, preview: preview)
    }

    @Test func `the total includes fees and omits items that cannot be bought`() {
        var over = Self.line("Boat", ("9000000000000000000", "native"))
        over.problem = "The offer is over."
        let lines = [
            Self.line("Lamp", ("500000000000000000", "native")),
            Self.line("Print", ("250000000000000000", "native"), ("7", "0x01")), over,
        ]
        let text = CheckoutText.previews(lines, .none)
        #expect(text.hasSuffix("all together, with the fees, at most: 0.75 ETH, 7 units of 0x01"))
        #expect(text.contains("Boat: cannot be bought. The offer is over."))
        #expect(!CheckoutText.previews([lines[0], over], .none).contains("all together"))
    }

    private static func preview(
        _ chain: UInt64?,
        _ leaves: (purpose: String, amount: String, currency: String)...
    ) -> ActionPreview {
        let leaves = leaves.map {
            ActionPreview.Outgoing(purpose: $0.purpose, amount: $0.amount, currency: $0.currency)
        }
        return ActionPreview(action: "buy", chain: chain, summary: [], leaves: leaves)
    }

    /// - From commands: a checkout with --yes without its total → exit 2
    /// - From commands: a checkout at another total than the one given → exit 10
    @Test func `a checkout without a question needs the total that a person saw`() throws {
        #expect(throws: (any Error).self) { try CartCheckout.parse(["--yes"]) }
        #expect(try CartCheckout.parse([]).agreed.totals.isEmpty)
        #expect(try CartCheckout.parse(["-y", "--total", "0.5"]).agreed.totals == ["0.5"])
        let previews = [
            Self.preview(
                1,
                ("price", "500000000000000000", "native"),
                ("deposit", "100000000000000000", "native"),
                ("fee", "7", "native")
            ),
            Self.preview(1, ("price", "250000000000000000", "native"), ("fee", "7", "native")),
        ]
        func isAgreed(_ totals: String...) -> Bool {
            let arguments = totals.flatMap { ["--total", $0] }
            do { try AgreedTotalOption.parse(arguments).require(previews) } catch { return false }
            return true
        }
        #expect(isAgreed() && isAgreed("0.85") && isAgreed("0.85 ETH"))
        #expect(!isAgreed("0.75") && !isAgreed("0.85", "1") && !isAgreed("0.85", "0.85"))
        let other = #expect(throws: Failure.self) {
            try AgreedTotalOption.parse(["--total", "0.8"]).require(previews)
        }
        #expect(other?.message == "All together cost 0.85 ETH. Nothing was signed.")
        let lines = previews.map { CheckoutLine(listing: "0x1.1", title: "Lamp", preview: $0) }
        let text = CheckoutText.previews(lines, .none)
        #expect(text.contains("\n\nprices and deposits, without the fees: 0.85 ETH"))
    }

    @Test func `a total names each currency once`() throws {
        let token = MoneyTextTests.token
        let previews = [
            Self.preview(8217, ("price", "1250", token)),
            Self.preview(8217, ("price", "500000000000000000", "native")),
        ]
        func isAgreed(_ totals: String...) -> Bool {
            CurrencyUnits.$current.withValue(MoneyTextTests.units) {
                let arguments = totals.flatMap { ["--total", $0] }
                do { try AgreedTotalOption.parse(arguments).require(previews) } catch {
                    return false
                }
                return true
            }
        }
        #expect(isAgreed("12.5 TST", "0.5 KAIA") && isAgreed("0.5", "12.5 TST"))
        #expect(!isAgreed("12.5 TST") && !isAgreed("0.5") && !isAgreed("12.5", "0.5"))
    }

    /// - From commands: a checkout with --yes on a node of several chains, at a total without the
    ///   symbol of a currency of one chain → exit 2
    @Test func `a total without a question names its chain`() throws {
        let previews = [Self.preview(8217, ("price", "500000000000000000", "native"))]
        func code(_ total: String, isUnasked: Bool = true) throws -> ExitReport.Code? {
            let agreed = try AgreedTotalOption.parse(["--total", total])
            return CurrencyUnits.$current.withValue(MoneyTextTests.several) {
                do { try agreed.require(previews, isUnasked: isUnasked) } catch {
                    return ExitReport(error).code
                }
                return nil
            }
        }
        #expect(try code("0.5") == .usage && code("0.5 KAIA") == nil)
        #expect(try code("0.5 ETH") == .refused && code("0.5", isUnasked: false) == nil)
    }

    @Test func `reports each purchase and the details that the seller needs`() {
        var (bought, missed) = (Self.line("Lamp"), Self.line("Boat"))
        (bought.sale, missed.problem) = ("0x5a1e", "The offer is over.")
        #expect(CheckoutText.ended([bought]) == "bought      Lamp, sale 0x5a1e")
        bought.address = "Tell the seller where to send it: stoa sale address 5a1e"
        #expect(
            CheckoutText.ended([bought, missed]) == """
                bought      Lamp, sale 0x5a1e
                            Tell the seller where to send it: stoa sale address 5a1e
                not bought  Boat: The offer is over.
                """
        )
    }
}
