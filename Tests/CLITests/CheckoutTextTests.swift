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
