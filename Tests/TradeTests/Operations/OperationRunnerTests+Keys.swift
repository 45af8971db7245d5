import Answers
import Client
import Ethereum
import Keys
import Market
import Storage
import Support
import Testing
import Trade

/// One call is one operation, and the same steps are not under way twice.
extension OperationRunnerTests {
    /// - From people: a request that is under way with another key → in_progress
    @Test func `refuses a request that is in progress under another key`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        let refusal = await #expect(throws: Refusal.self) {
            try await begin(runner, key: "other")
        }
        #expect(refusal?.code == .inProgress)
        #expect(refusal?.detail.contains(begun.id) == true)

        try await sender.set(.final)
        _ = try await run(runner, begun.id) { $0.state == .done }
        let again = try await begin(runner, key: "other")
        #expect(again.id != begun.id)
    }

    @Test func `refuses one of two concurrent calls for the same steps`() async throws {
        let runner = runner()
        let outcomes = await withTaskGroup(of: ProblemCode?.self) { group in
            for key in ["one", "other"] {
                group.addTask {
                    do {
                        _ = try await begin(runner, key: key)
                        return nil
                    } catch {
                        return (error as? Refusal)?.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 2)
        #expect(outcomes.contains(nil) && outcomes.contains(.inProgress))
        #expect(try log.unfinished().count == 1)
    }

    /// - From people: two listings of one item at once, even on two chains → in_progress
    @Test(arguments: [Market.Listing.Form.goods, .course])
    func `lists an item once at a time across chains, but a course repeatedly`(
        form: Market.Listing.Form
    ) async throws {
        let runner = runner()
        let refusals = try await withThrowingTaskGroup(of: Refusal?.self) { group in
            for number in 1...2 as ClosedRange<UInt8> {
                group.addTask { try await refusal(ofListing: form, number, runner) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }.compactMap(\.self)
        let last = try await refusal(ofListing: form, 3, runner)
        if form == .course {
            #expect(refusals.isEmpty && last == nil)
        } else {
            #expect(refusals.map(\.code) == [.inProgress])
            #expect(last?.code == .inProgress && last?.field == "identifier")
            // The call that was taken is the same operation when it comes again.
            let again = [
                try await refusal(ofListing: form, 1, runner),
                try await refusal(ofListing: form, 2, runner),
            ]
            #expect(again.compactMap(\.self).count == 1)
        }
    }

    /// Begins to list one and the same thing on a chain; `nil` if that is not refused.
    private func refusal(
        ofListing form: Market.Listing.Form,
        _ number: UInt8,
        _ runner: OperationRunner
    ) async throws -> Refusal? {
        let step = Intent.Step(to: testKey(number).address, data: [number])
        do {
            _ = try await runner.begin(
                try request("\(number)", key: "\(number)"),
                subject: nil,
                plan: OperationPlan(
                    purpose: "list",
                    steps: [step],
                    publications: [
                        OperationPlan.Publication(
                            kind: .listing,
                            slot: Bytes32(repeating: number),
                            payload: RecordContent.listing(try Self.listing(form)).payload
                        )
                    ]
                ),
                fees: nil,
                on: ChainID(UInt64(number))
            )
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    /// - From people: adding pieces to a listing and withdrawing it at once → in_progress
    @Test func `of two changes of one listing that are planned at once, one begins`() async throws {
        let runner = runner()
        let refusals = await withTaskGroup(of: Refusal?.self) { group in
            for number in 1...2 as ClosedRange<UInt8> {
                group.addTask { await refusal(ofChange: number, in: [3, number + 3], runner) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }.compactMap(\.self)
        #expect(refusals.map(\.code) == [.inProgress])
        // Each one that has begun is known by name, and other listings are not concerned.
        let begun = try #require(try log.unfinished().first)
        let later = await refusal(ofChange: 6, in: [6, 3], runner)
        #expect(later?.reason?.first?.code == "refusal.beingChanged")
        #expect(later?.detail.contains(begun.operation.id) == true)
        let text = await refusal(ofChange: 7, in: [3], isMoving: false, runner)
        #expect(text?.code == .inProgress)
        #expect(await refusal(ofChange: 8, in: [8], runner) == nil)
    }

    @Test func `texts of one listing are changed while others are published`() async throws {
        let runner = runner()
        for number in 1...2 as ClosedRange<UInt8> {
            #expect(await refusal(ofChange: number, in: [3], isMoving: false, runner) == nil)
        }
    }

    /// Begins to publish in an account's slots; `nil` if that is not refused.
    private func refusal(
        ofChange number: UInt8,
        in slots: [UInt8],
        isMoving: Bool = true,
        _ runner: OperationRunner
    ) async -> Refusal? {
        do {
            _ = try await runner.begin(
                try request("change \(number)", key: "change \(number)"),
                subject: nil,
                plan: OperationPlan(
                    purpose: "withdraw",
                    steps: isMoving ? [Intent.Step(to: testKey(2).address, data: [number])] : [],
                    publications: slots.map {
                        .init(kind: .listing, slot: Bytes32(repeating: $0), payload: [])
                    }
                ),
                fees: nil
            )
            return nil
        } catch {
            return error as? Refusal
        }
    }

    private static func listing(_ form: Market.Listing.Form) throws -> Market.Listing {
        let price = SaleLimits.priceMin
        let time = ChainTime(seconds: 1_800_000_000)
        let terms: SaleTerms =
            form == .course
            ? .enrolment(
                Market.CourseTerms(
                    currency: .native,
                    price: price,
                    seats: 2,
                    start: time.advanced(by: .days(10)),
                    end: time.advanced(by: .days(20))
                )
            )
            : .escrow(try .standard(price: price, currency: .native, form: form, now: time))
        return try Market.Listing(
            form: form,
            title: "Knots",
            description: "Ten knots.",
            category: form == .course ? "course" : "misc",
            tags: ["knots"],
            identifier: ItemIdentifier(normal: "knots7"),
            delivery: .pickup(place: "The old bridge"),
            chain: ChainID(1),
            terms: terms
        )
    }

    @Test func `two concurrent identical calls create one operation`() async throws {
        let runner = runner()
        async let first = begin(runner)
        async let second = begin(runner)
        let ids = [try await first.id, try await second.id]
        #expect(ids[0] == ids[1])
    }

    @Test func `refuses to repeat an operation that an earlier run left unstarted`() async throws {
        let begun = try await begin(runner())
        let refusal = await #expect(throws: Refusal.self) {
            try await begin(runner(), key: "other")
        }
        #expect(refusal?.detail.contains(begun.id) == true)
    }

    /// - From people: another request under a used Idempotency-Key → idempotency_key_reused
    @Test func `returns the operation for the same call and refuses another call`() async throws {
        let runner = runner()
        let begun = try await begin(runner)

        #expect(try await runner.known(try request())?.id == begun.id)
        #expect(try await begin(runner).id == begun.id)
        await #expect(throws: Refusal.self) { try await runner.known(try request("b")) }
    }

    /// - From people: an Idempotency-Key that the account used before it was removed and restored
    ///   → idempotency_key_reused
    @Test
    func `a key still names its operation after the account's removal`() async throws {
        let begun = try await begin(runner())
        try await sender.set(.final)
        _ = try await run(runner(), begun.id) { $0.state == .done }
        clock.advance(by: 400 * 86_400)
        // Another call sweeps away what is over.
        _ = try await begin(runner(), key: "other")
        #expect(try await begin(runner()).id == begun.id)
        await #expect(throws: Refusal.self) { try await runner().known(try request("b")) }

        try await store.write { [account] in try $0.removeAccount(account) }
        let refusal = await #expect(throws: Refusal.self) { try await begin(runner()) }
        #expect(refusal?.code == .keyReused)
        #expect(try log.unfinished().isEmpty)
    }
}
