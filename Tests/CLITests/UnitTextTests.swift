import ArgumentParser
import Client
import Testing

@testable import CLI

struct UnitTextTests {
    @Test(
        arguments: [
            ("3d", 259_200), ("36h", 129_600), ("90m", 5_400), ("45s", 45), ("2w", 1_209_600),
            ("3 D", 259_200), ("2min", 120), ("30 days", 2_592_000), ("0", 0),
        ] as [(String, UInt64)]
    )
    func `reads time spans with their unit`(text: String, seconds: UInt64) {
        #expect(DurationText(argument: text)?.seconds == seconds)
    }

    @Test(arguments: ["", "d", "600", "-3d", "3.5d", "3y", "3d4h", "٣d", "99999999999999999999d"])
    func `refuses text that is not a time span`(text: String) {
        #expect(DurationText(argument: text) == nil)
    }

    @Test(
        arguments: [
            (259_200, "3 days"), (86_400, "one day"), (90_000, "25 hours"), (60, "one minute"),
            (61, "61 seconds"), (0, "0 seconds"),
        ] as [(UInt64, String)]
    )
    func `writes time spans in the largest unit that fits`(seconds: UInt64, text: String) {
        #expect(DurationText.text(seconds) == text)
    }

    @Test(
        arguments: [
            ("2027-01-31", 1_801_353_600), ("2027-01-31 18:00", 1_801_418_400),
            ("2027-01-31T18:00:05Z", 1_801_418_405), ("1970-01-01", 0),
        ] as [(String, UInt64)]
    )
    func `reads times in UTC`(text: String, seconds: UInt64) {
        #expect(TimeText(argument: text)?.seconds == seconds)
    }

    /// - From commands: a text that is not a time in UTC → exit 2
    @Test(arguments: ["", "2027", "2027-1-31", "2027-02-31", "2027-13-01", "2027-01-31 25:00"])
    func `refuses text that is not a time`(text: String) {
        #expect(TimeText(argument: text) == nil)
    }

    @Test(
        arguments: [
            ("50%", 5_000), ("2.5%", 250), ("0.01%", 1), ("100 %", 10_000), ("200%", 20_000),
            ("0%", 0),
        ] as [(String, UInt64)]
    )
    func `reads shares in percent`(text: String, points: UInt64) {
        #expect(ShareText(argument: text)?.basisPoints == points)
    }

    @Test(arguments: [
        "", "%", "-1%", "0.001%", ".5%", "5.%", "1,5%", "half", "5%%", "1e2", "50", "0.5",
    ])
    func `refuses text that is not a share`(text: String) {
        #expect(ShareText(argument: text) == nil)
    }

    @Test(
        arguments: [(5_000, "50 %"), (250, "2.5 %"), (1, "0.01 %"), (205, "2.05 %")]
            as [(UInt64, String)]
    )
    func `writes shares in percent`(points: UInt64, text: String) {
        #expect(ShareText.text(points) == text)
    }

    @Test func `an amount may be a share of the price`() throws {
        #expect(try MoneyText.units("200%", of: "native", price: "5") == "10")
        #expect(try MoneyText.units("50%", of: "0x11", price: "5") == "3")
        #expect(try MoneyText.units("100 gwei", of: "native", price: "5") == "100000000000")
        #expect(throws: Failure.self) { try MoneyText.units("x%", of: "native", price: "5") }
    }

    @Test func `reads a light deposit as a third of the price, and an end as a date`() throws {
        let price = Money(amount: "500", currency: "native")
        let light = try TermsOptions.parse(["--light", "--offer-until", "2027-01-31"])
        let terms = try light.terms(price: price)
        #expect(terms?.sellerDeposit == "167" && terms?.offerUntil == 1_801_353_600)
        #expect(try TermsOptions.parse([]).terms(price: price) == nil)
        #expect(throws: (any Error).self) {
            try TermsOptions.parse(["--light", "--seller-deposit", "200%"])
        }
    }

    @Test(arguments: [
        ("0x" + String(repeating: "3f9ac21b", count: 8), "3f9ac21b"),
        (
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed." + String(repeating: "0123abcd", count: 8),
            "0123abcd"
        ),
        ("7", "7"),
    ])
    func `shows the first digits of an id`(id: String, short: String) {
        #expect(IDText.short(id) == short)
        #expect(IDText.cell(id, on: .none) == id)
        #expect(IDText.cell(id, on: Screen(columns: 80, hasColour: false)) == short)
    }

    @Test(
        arguments: [
            ("50", 50), ("50 km", 50), ("50KM", 50), ("1.5 km", nil), ("x", nil), ("800 m", nil),
        ] as [(String, Int?)]
    )
    func `reads kilometres with and without their unit`(text: String, kilometres: Int?) {
        #expect(KilometresText(argument: text)?.kilometres == kilometres)
    }
}
