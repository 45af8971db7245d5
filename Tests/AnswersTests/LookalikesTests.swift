import Answers
import Testing

/// Names that can be taken for others, or for what is no name.
struct LookalikesTests {
    private func areAlike(_ one: String, _ other: String) -> Bool {
        !Lookalikes.forms(of: one).isDisjoint(with: Lookalikes.forms(of: other))
    }

    @Test(arguments: [
        ("Bo", "\u{412}\u{43E}"), ("paypal", "p\u{430}yp\u{430}l"), ("Bill", "BiII"),
        ("BIll", "B1ll"), ("Anna", "\u{391}nna"), ("modern", "modem"), ("zoe", "Zo\u{451}"),
        ("Bo", "B\u{3BF}"), ("Bo", "bo\u{200D}"), ("Bo", "\u{1D401}\u{1D428}"), ("Bo", "Ｂｏ"),
        ("O'Neil", "0\u{2019}NeiI"), ("Ana", "ANA"), ("Jose", "José"),
    ])
    func `finds names that look alike, whatever their letters`(one: String, other: String) {
        #expect(areAlike(one, other))
        #expect(areAlike(other, one))
    }

    @Test(arguments: [
        ("Bo", "Bob"), ("Anna", "Hanna"), ("Мария", "Марина"), ("李明", "李朋"), ("Ali", "Elli"),
    ])
    func `does not confuse names that look different`(one: String, other: String) {
        #expect(!areAlike(one, other))
    }

    @Test func `detects a name that looks like an address, but not a plain word`() {
        for name in [
            "0x5290", "0X52", "0x", "Ox5290a1", "\u{41E}\u{445}5290a1", "0\u{445}5290", "0x52…90a1",
            "beef", "5290840009",
        ] {
            #expect(Lookalikes.isLikeAddress(name), "\(name)")
        }
        for name in ["Oxford", "Oxbed", "Ox", "Bo from the market", "Bee"] {
            #expect(!Lookalikes.isLikeAddress(name), "\(name)")
        }
    }
}
