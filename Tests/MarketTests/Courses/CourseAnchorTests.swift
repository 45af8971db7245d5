import Keys
import Market
import Testing

/// Listings of courses and their students' reviews, compared with the chain.
struct CourseAnchorTests {
    /// A chain that shows one course, or none.
    private struct View: ChainView {
        var shown: Course?

        func role(of contract: ContractReference) -> ContractRole {
            contract == CourseModel.contract ? .sells(.enrolment) : .foreign
        }

        func sale(_ sale: SaleReference) -> Sale? {
            shown.flatMap { $0.reference == sale ? Sale($0) : nil }
        }

        func isParty(_ account: Address) -> Bool { shown?.isParty(account) ?? false }
    }

    private static let terms = CourseRun.terms
    private let listing: Listing
    private let opened: CourseScript

    init() throws {
        let plain = try Samples.course(terms: Self.terms)
        let promise = ListingCommitment(of: plain, slot: Samples.slot)
        opened = try CourseScript(promise: promise.hash)
        listing = plain.anchored(
            contract: CourseModel.contract.address,
            sale: opened.course.reference.id
        )
    }

    /// The course, with what happens to it before `time`.
    private func course(_ steps: [(CourseEvent.Change, ChainTime)]) throws -> Course {
        var script = opened
        for (change, time) in steps { try script.apply(change, at: time) }
        return script.course
    }

    private static let rated: [(CourseEvent.Change, ChainTime)] = {
        let points = CoursePoints([90, 90, 90, 90, 90])
        guard let points else { preconditionFailure("five numbers up to 100") }
        let (now, start) = (Samples.chainNow, terms.start)
        return [
            (.enrolled(student: Samples.bo.address, round: 0, enrolled: 1), now),
            (.enrolled(student: ItemSamples.cleo, round: 0, enrolled: 2), now),
            (.begun(round: 0), start),
            (.evaluated(student: Samples.bo.address, round: 0, points: points), start),
        ]
    }()

    @Test func `the first round anchors a course's listing, even after a repeat`() throws {
        let record = try Samples.draft(.listing(listing)).signed(by: Samples.ana)
        #expect(AnchorStatus.of(record, on: View()) == .held(.saleNotSeen))
        #expect(AnchorStatus.of(record, on: View(shown: opened.course)) == .anchored)
        #expect(
            listing.fulfilment(slot: Samples.slot, sale: Sale(opened.course)) == .asPromised
        )
        var later = Self.terms
        (later.price, later.seats) = (Amount(small: 10_005), 9)
        let cancelled = CourseEvent.Change.cancelled(by: Samples.ana.address, round: 0)
        let again = CourseEvent.Opened(
            teacher: Samples.ana.address,
            promise: opened.course.promise,
            salt: .zero,
            round: 1,
            terms: later
        )
        let now = Samples.chainNow
        let repeated = try course([(cancelled, now), (.opened(again), now)])
        #expect(AnchorStatus.of(record, on: View(shown: repeated)) == .anchored)
    }

    /// - From peers: a curriculum of goods, of more than 40 sessions, of more than 8,192 bytes with
    ///   the description, or with a title of two lines → ignored
    @Test func `a course promises its curriculum, and no other form has one`() throws {
        let sessions = [
            try CurriculumSession(title: "Bowline", content: "Tie it.\nUntie it."),
            try CurriculumSession(title: "Sheet bend"),
        ]
        let long = try Samples.course(curriculum: sessions)
        let plain = try Samples.course()
        #expect(
            try RecordContent(kind: .listing, payload: RecordContent.listing(long).payload[...])
                == .listing(long)
        )
        let promise = ListingCommitment(of: long, slot: Samples.slot)
        #expect(promise.hash != ListingCommitment(of: plain, slot: Samples.slot).hash)
        #expect(promise.changes(in: plain) == [.curriculum] && promise.changes(in: long) == [])
        #expect(throws: RuleFault.tooMany(.curriculum, countMax: 40)) {
            try Samples.course(
                curriculum: [CurriculumSession](repeating: sessions[1], count: 41)
            )
        }
        let large = try CurriculumSession(
            title: "Bowline",
            content: String(repeating: "a", count: 1_000)
        )
        #expect(throws: RuleFault.tooLong(.curriculum, byteCountMax: 8_192)) {
            try Samples.course(curriculum: [CurriculumSession](repeating: large, count: 9))
        }
        #expect(throws: RuleFault.malformed(.curriculum)) {
            try CurriculumSession(title: "Two\nlines")
        }
        #expect(throws: RuleFault.malformed(.curriculum)) {
            try Listing(
                form: .goods,
                title: "Rope",
                description: "Ten metres.",
                category: "tools",
                tags: ["rope"],
                curriculum: sessions,
                identifier: ItemIdentifier(normal: "rope7"),
                delivery: .pickup(place: "Harbour 4"),
                chain: Samples.chain,
                terms: Samples.listing().terms
            )
        }
    }

    @Test func `refuses a thief's listing, and terms other than the first round's`() throws {
        let promise = ListingCommitment(of: listing, slot: Samples.slot)
        for change in [
            { $0.price = Amount(small: 10_001) }, { $0.seats = 3 },
            { $0.end = $0.start.advanced(by: .days(1)) },
        ] as [(inout CourseTerms) -> Void] {
            var terms = Self.terms
            change(&terms)
            let bait = try Samples.course(terms: terms).anchored(
                contract: CourseModel.contract.address,
                sale: opened.course.reference.id,
                promised: promise
            )
            let record = try Samples.draft(.listing(bait)).signed(by: Samples.ana)
            #expect(
                AnchorStatus.of(record, on: View(shown: opened.course))
                    == .refused(.otherPromise)
            )
        }
        let thief = try Samples.draft(.listing(listing), by: Samples.bo).signed(by: Samples.bo)
        #expect(
            AnchorStatus.of(thief, on: View(shown: opened.course)) == .refused(.notAParty)
        )
    }

    @Test func `a student's review counts once the student has rated the round`() throws {
        let bo = try review(by: Samples.bo)
        #expect(AnchorStatus.of(bo, on: View()) == .held(.saleNotSeen))
        let held = AnchorStatus.held(.saleNotOver)
        for count in 0..<Self.rated.count {
            let course = try course(Array(Self.rated.prefix(count)))
            #expect(AnchorStatus.of(bo, on: View(shown: course)) == held)
        }
        let course = try course(Self.rated)
        #expect(AnchorStatus.of(bo, on: View(shown: course)) == .anchored)
        let lies = [
            try review(by: Samples.bo, price: 10_000), try review(by: Samples.bo, .refunded),
            try review(by: Samples.bo, currency: .token(ItemSamples.cleo)),
        ]
        for lie in lies {
            #expect(AnchorStatus.of(lie, on: View(shown: course)) == .refused(.otherOutcome))
        }
    }

    @Test func `refuses a review by the teacher or by a student without a rating`() throws {
        let ana = try review(by: Samples.ana)
        let (cleo, stranger) = (Samples.key("cleo"), Samples.key("stranger"))
        let running = try course(Self.rated)
        var script = opened
        for (change, time) in Self.rated { try script.apply(change, at: time) }
        let settlement = script.course.settlement
        let settled = CourseEvent.Change.settled(settlement, by: cleo.address, round: 0)
        try script.apply(settled, at: Self.terms.rateUntil)
        for course in [opened.course, running, script.course] {
            #expect(AnchorStatus.of(ana, on: View(shown: course)) == .refused(.notAParty))
        }
        for author in [cleo, stranger] {
            let review = try review(by: author)
            #expect(
                AnchorStatus.of(review, on: View(shown: running)) == .held(.saleNotOver)
            )
            // The first round is over, and nobody can evaluate it any longer.
            #expect(
                AnchorStatus.of(review, on: View(shown: script.course)) == .refused(.notAParty)
            )
            let later = try self.review(by: author, round: 1)
            #expect(later.slot != review.slot)
            #expect(
                AnchorStatus.of(later, on: View(shown: script.course)) == .held(.saleNotOver)
            )
        }
        let bo = try review(by: Samples.bo)
        #expect(AnchorStatus.of(bo, on: View(shown: script.course)) == .anchored)
    }

    private func review(
        by author: PrivateKey,
        round: UInt64 = 0,
        _ outcome: Review.Outcome = .complete,
        price: UInt64 = 10_007,
        currency: Currency = .native
    ) throws -> SignedRecord {
        let review = try Review(
            sale: opened.course.reference,
            round: round,
            stars: 5,
            text: "I can tie them all.",
            outcome: outcome,
            currency: currency,
            price: Amount(small: price)
        )
        return try Samples.draft(.review(review), by: author).signed(by: author)
    }
}

/// A course with a promise of its own, event by event.
private struct CourseScript {
    private(set) var course: Course
    private var clock = EventClock()

    init(promise: Bytes32) throws {
        let teacher = Samples.ana.address
        let opened = CourseEvent.Opened(
            teacher: teacher,
            promise: promise,
            salt: Samples.slot,
            round: 0,
            terms: CourseRun.terms
        )
        let id = SaleID(
            contract: CourseModel.contract,
            teacher: teacher,
            salt: Samples.slot,
            promise: promise
        )
        course = try Course(
            opening: CourseEvent(
                sale: id,
                position: clock.position(at: Samples.chainNow),
                change: .opened(opened)
            ),
            contract: CourseModel.contract,
            platform: CourseModel.platform
        )
    }

    mutating func apply(_ change: CourseEvent.Change, at time: ChainTime) throws {
        try course.apply(
            CourseEvent(
                sale: course.reference.id,
                position: clock.position(at: time),
                change: change
            )
        )
    }
}
