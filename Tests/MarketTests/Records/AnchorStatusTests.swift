import Keys
import Market
import Testing

struct AnchorStatusTests {
    /// A chain that shows one sale, or none.
    struct View: ChainView {
        var shown: EscrowSale?
        var deployment = SaleScript.contract
        var role = ContractRole.sells(.escrow)

        func role(of contract: ContractReference) -> ContractRole {
            contract == deployment ? role : .foreign
        }

        func sale(_ sale: SaleReference) -> Sale? {
            shown.flatMap { $0.reference == sale ? Sale($0) : nil }
        }

        func isParty(_ account: Address) -> Bool {
            shown.map { $0.seller == account || $0.buyer == account } ?? false
        }
    }

    private let listing: Listing
    private let listed: EscrowSale
    private let complete: EscrowSale

    init() throws {
        let terms = try Samples.terms()
        let plain = try Samples.listing(terms: terms)
        var script = SaleScript(
            terms: terms,
            promise: ListingCommitment(of: plain, slot: Samples.slot).hash
        )
        listing = plain.anchored(contract: SaleScript.contract.address, sale: script.id)
        listed = try script.listed()
        var sale = listed
        try script.apply(.buy, by: Samples.bo.address, to: &sale, at: Samples.chainNow)
        try script.apply(.confirm, by: Samples.bo.address, to: &sale, at: Samples.chainNow)
        complete = sale
    }

    @Test func `a sale that appears as promised anchors its listing`() throws {
        let record = try Samples.draft(.listing(listing)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(record, on: View()) == .held(.saleNotSeen))
        #expect(AnchorStatus.of(record, on: View(shown: listed)) == .anchored)
        #expect(listing.fulfilment(slot: Samples.slot, sale: Sale(listed)) == .asPromised)

        let unanchored = try Samples.draft(.listing(Samples.listing())).signed(by: Samples.ana)
        #expect(AnchorStatus.of(unanchored, on: View(shown: listed)) == .open)

        var foreign = View(shown: listed)
        foreign.deployment = ContractReference(chain: Samples.chain, address: .zero)
        #expect(AnchorStatus.of(record, on: foreign) == .refused(.foreignContract))
    }

    @Test func `refuses a listing that borrows a sale or uses one twice`() throws {
        let thief = try Samples.draft(.listing(listing), by: Samples.bo).signed(by: Samples.bo)
        #expect(AnchorStatus.of(thief, on: View(shown: listed)) == .refused(.notAParty))

        let second = RecordDraft(
            network: Samples.network,
            author: Samples.ana.address,
            content: .listing(listing),
            slot: Bytes32(repeating: 3),
            createdAt: Samples.now
        )
        #expect(
            try AnchorStatus.of(second.signed(by: Samples.ana), on: View(shown: listed))
                == .refused(.otherPromise)
        )
    }

    @Test func `a changed listing shows its changes and cannot hide them`() throws {
        let promise = ListingCommitment(of: listing, slot: Samples.slot)
        let changed = try Samples.listing(title: "Blue bicycle", terms: listed.terms)
        let honest = changed.anchored(
            contract: SaleScript.contract.address,
            sale: listed.reference.id,
            promised: promise
        )
        let silent = changed.anchored(
            contract: SaleScript.contract.address,
            sale: listed.reference.id
        )
        #expect(honest.fulfilment(slot: Samples.slot, sale: Sale(listed)) == .changed([.title]))
        #expect(silent.fulfilment(slot: Samples.slot, sale: Sale(listed)) == .notPromised)

        let record = try Samples.draft(.listing(honest)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(record, on: View(shown: listed)) == .anchored)
        #expect(try UnverifiedRecord(record.bytes).verified().content == .listing(honest))
    }

    @Test func `validates a record by the kind of sale of its contract`() throws {
        let record = try Samples.draft(.listing(listing)).signed(by: Samples.ana)
        var view = View(shown: listed)
        view.role = .sells(.auction)
        #expect(AnchorStatus.of(record, on: view) == .refused(.otherPromise))

        // A newer program may know the kind: this one neither keeps the record nor refuses it.
        view.role = .unknownKind(.escrow)
        #expect(AnchorStatus.of(record, on: view) == .open)
        view.role = .unknownKind(.auction)
        #expect(AnchorStatus.of(record, on: view) == .refused(.otherPromise))

        // As an open record, anybody could review any sale there.
        let review = try review(by: Samples.bo)
        #expect(AnchorStatus.of(review, on: view) == .refused(.foreignContract))
    }

    @Test func `refuses a listing whose price differs from its sale's`() throws {
        let promise = ListingCommitment(of: listing, slot: Samples.slot)
        var cheap = listed.terms
        cheap.price = Amount(small: 10_000)
        cheap.sellerDeposit = Amount(small: 20_000)
        cheap.buyerDeposit = Amount(small: 10_000)
        cheap.latePenalty = Amount(small: 100)
        let bait = try Samples.listing(terms: cheap).anchored(
            contract: SaleScript.contract.address,
            sale: listed.reference.id,
            promised: promise
        )
        #expect(bait.fulfilment(slot: Samples.slot, sale: Sale(listed)) == .notPromised)
        let record = try Samples.draft(.listing(bait)).signed(by: Samples.ana)
        #expect(
            AnchorStatus.of(record, on: View(shown: listed)) == .refused(.otherPromise)
        )
    }

    @Test func `a review counts once the sale is over and its author was a party`() throws {
        let bo = try review(by: Samples.bo)
        #expect(AnchorStatus.of(bo, on: View()) == .held(.saleNotSeen))
        #expect(AnchorStatus.of(bo, on: View(shown: listed)) == .held(.saleNotOver))
        #expect(AnchorStatus.of(bo, on: View(shown: complete)) == .anchored)

        let stranger = try review(by: Samples.key("stranger"))
        #expect(AnchorStatus.of(stranger, on: View(shown: complete)) == .refused(.notAParty))

        let richer = try review(by: Samples.ana, price: "1")
        #expect(AnchorStatus.of(richer, on: View(shown: complete)) == .refused(.otherOutcome))
        let refunded = try review(by: Samples.ana, outcome: .refunded)
        #expect(AnchorStatus.of(refunded, on: View(shown: complete)) == .refused(.otherOutcome))
    }

    @Test func `refuses a review of a sale that had no buyer or was declined`() throws {
        let bo = Samples.bo.address
        var script = SaleScript(terms: listed.terms, promise: listed.promise)
        var aborted = try script.listed()
        var declined = aborted
        try script.apply(
            .abort,
            by: Samples.ana.address,
            to: &aborted,
            at: Samples.chainNow
        )
        try script.apply(.buy, by: bo, to: &declined, at: Samples.chainNow)
        try script.apply(
            .decline,
            by: Samples.ana.address,
            to: &declined,
            at: Samples.chainNow
        )
        #expect(declined.reference == complete.reference)
        for author in [Samples.ana, Samples.bo, Samples.key("stranger")] {
            for outcome in [Review.Outcome.complete, .refunded, .settled] {
                let review = try review(by: author, outcome: outcome)
                for sale in [aborted, declined] {
                    #expect(
                        AnchorStatus.of(review, on: View(shown: sale)) == .refused(.notReviewable)
                    )
                }
            }
        }
        let record = try Samples.draft(.listing(listing)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(record, on: View(shown: declined)) == .anchored)
    }

    @Test func `holds a running sale's review only if its author can be a party`() throws {
        var script = SaleScript(terms: listed.terms, promise: listed.promise)
        var sale = try script.listed()
        let stranger = try review(by: Samples.key("stranger"))
        #expect(AnchorStatus.of(stranger, on: View(shown: sale)) == .held(.saleNotOver))
        try script.apply(.buy, by: Samples.bo.address, to: &sale, at: Samples.chainNow)
        #expect(AnchorStatus.of(stranger, on: View(shown: sale)) == .refused(.notAParty))
        let bo = try review(by: Samples.bo)
        #expect(AnchorStatus.of(bo, on: View(shown: sale)) == .held(.saleNotOver))
    }

    @Test func `anchors the profiles and devices of parties and leaves others open`() throws {
        let contents: [RecordContent] = [
            .profile(try Profile(name: "Ana")), .withdrawal(.profile), .withdrawal(.device),
        ]
        for content in contents {
            let record = try Samples.draft(content).signed(by: Samples.ana)
            #expect(AnchorStatus.of(record, on: View()) == .open)
            #expect(AnchorStatus.of(record, on: View(shown: listed)) == .anchored)
        }
    }

    @Test func `a withdrawal is anchored by the sale and promise that it names`() throws {
        let good = withdrawal(
            of: listed.reference,
            ListingCommitment(of: listing, slot: Samples.slot)
        )
        let record = try Samples.draft(good).signed(by: Samples.ana)
        #expect(AnchorStatus.of(record, on: View()) == .held(.saleNotSeen))
        #expect(AnchorStatus.of(record, on: View(shown: listed)) == .anchored)
        #expect(AnchorStatus.of(record, on: View(shown: complete)) == .anchored)
        var foreign = View(shown: listed)
        foreign.deployment = ContractReference(chain: Samples.chain, address: .zero)
        #expect(AnchorStatus.of(record, on: foreign) == .refused(.foreignContract))

        let thief = try Samples.draft(good, by: Samples.bo).signed(by: Samples.bo)
        #expect(AnchorStatus.of(thief, on: View(shown: listed)) == .refused(.notAParty))
    }

    /// - From peers: a withdrawal that names another slot's sale, or another account's sale →
    ///   ignored
    @Test func `treats a party's withdrawal of a slot without a sale as open`() throws {
        let empty = try Samples.draft(.withdrawal(.listing)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(empty, on: View(shown: listed)) == .open)

        // Another slot, so the hash differs from the one that the sale carries.
        let slot = Bytes32(repeating: 3)
        for promise in [
            ListingCommitment(of: listing, slot: slot),
            ListingCommitment(of: listing, slot: Samples.slot),
        ] {
            let record = try RecordDraft(
                network: Samples.network,
                author: Samples.ana.address,
                content: withdrawal(of: listed.reference, promise),
                slot: slot,
                createdAt: Samples.now
            ).signed(by: Samples.ana)
            #expect(AnchorStatus.of(record, on: View(shown: listed)) == .refused(.otherPromise))
        }
    }

    /// - From peers: an anchored record longer than its kind's allowance → ignored
    /// - From peers: a stamp added to an anchored record, to make it too long → not counted
    @Test func `limits an anchored record's length by its kind's allowance`() throws {
        let limit = AnchoredAllowance.byteCountMax(of: .device)
        let device = try DeviceCertificate(key: Samples.key("phone").publicKey, name: "phone")
        let plain = try Samples.draft(.device(device)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(plain, on: View(shown: listed)) == .anchored)

        let fits = try Samples.padded(.device(device), to: limit)
        let isOver = try Samples.padded(.device(device), to: limit + 1)
        #expect(AnchorStatus.of(fits, on: View(shown: listed)) == .anchored)
        #expect(AnchorStatus.of(isOver, on: View(shown: listed)) == .refused(.overAllowance))
        // Anybody can add a stamp; the copy with a stamp is validated like the copy without.
        let stamped = try OpenLaneRules(triesPerKibibyte: 1).stamped(fits)
        #expect(stamped.bytes.count > limit)
        #expect(AnchorStatus.of(stamped, on: View(shown: listed)) == .anchored)
    }

    private func withdrawal(of sale: SaleReference, _ promise: ListingCommitment) -> RecordContent {
        .withdrawal(.anchoredListing(ListingWithdrawal(sale: sale, promise: promise)))
    }

    private func review(
        by author: PrivateKey,
        price: String = "500000000000000000",
        outcome: Review.Outcome = .complete
    ) throws -> SignedRecord {
        let review = try Review(
            sale: complete.reference,
            stars: 5,
            text: "Fine.",
            outcome: outcome,
            currency: .native,
            price: Samples.amount(price)
        )
        return try Samples.draft(.review(review), by: author).signed(by: author)
    }
}
