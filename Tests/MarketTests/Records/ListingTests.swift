import Keys
import Market
import Testing

struct ListingTests {
    @Test func `allows only certain combinations of delivery and payment`() {
        let allowed = Listing.Form.allCases.flatMap { form in
            Delivery.Method.allCases.flatMap { delivery in
                [SaleKind.escrow, .direct, .auction, .enrolment]
                    .filter { ListingRules.allows(form, delivery, $0) }
                    .map { "\(form) \(delivery) \($0)" }
            }
        }
        #expect(
            allowed == [
                "goods shipping escrow", "goods shipping direct", "goods shipping auction",
                "goods pickup escrow", "goods pickup direct", "goods pickup auction",
                "digital online escrow", "digital online direct", "digital online auction",
                "course pickup enrolment", "course online enrolment",
            ]
        )
    }

    @Test func `refuses a shipped course with escrow and names the combination`() {
        #expect(throws: RuleFault.combination(.course, .online, .escrow)) {
            try changed {
                $0.form = .course
                $0.category = "course"
                $0.delivery = .online
            }
        }
    }

    @Test(
        arguments: [
            Change(.missing(.title)) { $0.title = "" },
            Change(.malformed(.title)) { $0.title = " Bicycle" },
            Change(.malformed(.title)) { $0.title = "Bicycle\nfor 1 wei" },
            Change(.malformed(.title)) { $0.title = "Bi\u{202E}cycle" },
            Change(.malformed(.title)) { $0.title = "Bicycle\u{0}" },
            Change(.malformed(.title)) { $0.title = "Bi\u{61C}cycle" },
            Change(.malformed(.title)) { $0.title = "Bicycle\u{E0041}" },
            Change(.malformed(.title)) { $0.title = "Bicycle\u{3000}" },
            Change(.tooLong(.title, byteCountMax: 160)) {
                $0.title = String(repeating: "é", count: 81)
            },
            Change(.missing(.description)) { $0.description = "" },
            Change(.tooLong(.description, byteCountMax: 8_192)) {
                $0.description = String(repeating: "a", count: 8_193)
            },
            Change(.missing(.category)) { $0.category = "" },
            Change(.malformed(.category)) { $0.category = "Vehicle" },
            Change(.malformed(.category)) { $0.category = "digital" },
            Change(.missing(.tags)) { $0.tags = [] },
            Change(.tooMany(.tags, countMax: 5)) { $0.tags = ["1", "2", "3", "4", "5", "6"] },
            Change(.repeated(.tags)) { $0.tags = ["red", "red"] },
            Change(.malformed(.tags)) { $0.tags = ["Red"] },
            Change(.tooMany(.media, countMax: 6)) { $0.media = (0..<7).map(Draft.image) },
            Change(.repeated(.media)) { $0.media = [Draft.image(1), Draft.image(1)] },
            Change(.missing(.chain)) { $0.chain = ChainID(0) },
            Change(.terms(TermsFault(term: "sellerDeposit"))) { $0.terms.sellerDeposit = .zero },
        ]
    )
    func `names the broken rule`(change: Change) {
        #expect(throws: change.fault) { try changed(change.make) }
    }

    /// A change of a valid listing, and the rule that it breaks.
    struct Change: Sendable {
        let fault: RuleFault
        let make: @Sendable (inout Draft) -> Void

        init(_ fault: RuleFault, _ make: @escaping @Sendable (inout Draft) -> Void) {
            (self.fault, self.make) = (fault, make)
        }
    }

    @Test func `a digital work needs one image and the category digital`() throws {
        let digital: @Sendable (inout Draft) -> Void = {
            $0.form = .digital
            $0.delivery = .online
            $0.category = "digital"
        }
        #expect(throws: RuleFault.missing(.media)) { try changed(digital) }
        #expect(throws: RuleFault.tooMany(.media, countMax: 1)) {
            try changed {
                digital(&$0)
                $0.media = [Draft.image(1), Draft.image(2)]
            }
        }
        let work = try changed {
            digital(&$0)
            $0.media = [Draft.image(1)]
        }
        #expect(work.media.count == 1)
    }

    @Test(arguments: [
        ("  WAUZZZ8K9AA-000123 ", "wauzzz8k9aa000123"),
        ("356938/03/564380/9", "356938035643809"),
        ("№ 17-b", "17b"),
    ])
    func `gives identifiers one normal form`(typed: String, normal: String) throws {
        let identifier = try ItemIdentifier(normalising: typed)
        #expect(identifier.text == normal)
        #expect(try ItemIdentifier(normal: normal) == identifier)
        #expect(try ItemIdentifier(normalising: normal) == identifier)
    }

    @Test func `refuses an identifier that would lose letters when normalised`() {
        #expect(throws: RuleFault.missing(.identifier)) {
            try ItemIdentifier(normalising: " - ")
        }
        #expect(throws: RuleFault.malformed(.identifier)) {
            try ItemIdentifier(normalising: "가나123")
        }
        #expect(throws: RuleFault.malformed(.identifier)) { try ItemIdentifier(normal: "AB") }
    }

    @Test(arguments: [
        ("500000000000000000", 1, "0.5 ETH"), ("1", 1, "0.000000000000000001 ETH"),
        ("12000000000000000000", 8_217, "12 KAIA"), ("1500000000000000000", 137, "1.5 POL"),
    ])
    func `writes prices without trailing zeros`(
        amount: String,
        chain: UInt64,
        text: String
    ) {
        let price = Samples.amount(amount)
        #expect(PriceText.text(price, in: .native, on: ChainID(chain)) == text)
    }

    private func changed(_ change: (inout Draft) -> Void) throws -> Listing {
        var draft = try Draft()
        change(&draft)
        return try draft.listing()
    }

    /// A valid listing whose fields can be changed.
    struct Draft: Sendable {
        var form = Listing.Form.goods
        var title = "Red bicycle"
        var description = "Rides well."
        var category = "vehicle"
        var tags = ["bicycle"]
        var media: [Media] = []
        var delivery = Delivery.pickup(place: "Berlin")
        var chain = Samples.chain
        var terms: EscrowTerms

        init() throws {
            terms = try Samples.terms()
        }

        static func image(_ number: Int) -> Media {
            Media(id: Bytes32(repeating: UInt8(number)), byteCount: 1_000, form: .jpeg)
        }

        func listing() throws -> Listing {
            try Listing(
                form: form,
                title: title,
                description: description,
                category: category,
                tags: tags,
                media: media,
                identifier: ItemIdentifier(normal: "a1"),
                delivery: delivery,
                chain: chain,
                terms: .escrow(terms)
            )
        }
    }
}
