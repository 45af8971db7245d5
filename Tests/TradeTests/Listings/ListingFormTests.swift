import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// All faults of a form at once, without a chain; the plans are no part of what Trade offers, hence
/// the testable import.
struct ListingFormTests {
    private static let time = ChainTime(seconds: 1_763_700_000)
    private static let seller = testKey(1).address

    private let market: SaleIndex

    init() throws {
        let deployment = DeployedMarket(tokens: [testKey(4).address])
        market = SaleIndex(deployment: deployment, confirmations: 1, clock: ManualClock())
    }

    /// Returns the fields at fault that a preview names.
    private func faults(
        _ change: (inout ListingContent) -> Void = { _ in }
    ) async throws -> [String?] {
        var content = ListingContentTests.bicycle
        change(&content)
        let form = ListingForm(content: content, action: "list") { $0.passing() }
        let preview = try await PlannedOperation.preview(by: Self.seller) { plan in
            try await plan.fill(form) { content, plan in
                _ = try content.listing(in: market, seller: Self.seller, at: Self.time)
                plan.preview.action = "done"
            }
        }
        #expect(preview.action == (preview.problems.isEmpty ? "done" : "list"))
        return preview.problems.map(\.field)
    }

    @Test func `a preview names all faults, in the order of the fields`() async throws {
        #expect(try await faults().isEmpty)
        let fields = try await faults {
            $0.terms = Client.EscrowTerms()
            $0.terms?.shipSeconds = 1
            $0.terms?.arbiter = "me"
            $0.shipsTo = ["Atlantis"]
            $0.identifier = "--"
            $0.price = Money(amount: "1.5", currency: "dollar")
            $0.tags = []
            $0.description = ""
            $0.title = ""
        }
        #expect(
            fields == [
                "title", "description", "tags", "price.currency", "price.amount", "identifier",
                "shipsTo", "terms.arbiter", "terms.shipSeconds",
            ]
        )
    }

    @Test(arguments: [
        "title", "tags", "price.amount", "price.currency", "shipsTo", "delivery", "type", "payment",
        "pickupPlace", "terms.sellerDeposit", "terms.shipSeconds", "terms.arbiter",
        "terms.offerUntil", "price", "identifier", "category", "curriculum",
    ])
    func `a fault is not followed by others that it causes`(field: String) async throws {
        #expect(try await faults { ListingContentTests.spoil(field, of: &$0) } == [field])
    }

    @Test func `amounts that fit a price are no faults beside a bad price`() async throws {
        let fields = try await faults {
            $0.price.amount = "1"
            $0.terms = Client.EscrowTerms()
            $0.terms?.sellerDeposit = "50000"
            $0.terms?.latePenalty = "1000"
            $0.terms?.buyerDeposit = "much"
        }
        #expect(fields == ["price", "terms.buyerDeposit"])
    }

    @Test func `an operation is refused for the first fault`() async throws {
        var content = ListingContentTests.bicycle
        (content.title, content.price.amount) = ("", "1.5")
        let form = ListingForm(content: content, action: "list") { $0.passing() }
        let request = try OperationRequest(.list, content, by: Self.seller, key: "k")
        var planned = PlannedOperation(by: Self.seller, for: request)
        let refused = await #expect(throws: Refusal.self) {
            try await planned.fill(form) { content, _ in
                _ = try content.listing(in: market, seller: Self.seller, at: Self.time)
            }
        }
        #expect(refused?.field == "price.amount")
    }

    @Test func `a course without a right start still shows its other faults`() async throws {
        let courses = try CourseMarket()
        let sales = CourseSales(contract: courses.contract, in: courses.market)
        var content = CourseContentTests.content
        content.course?.startsAt = 1
        content.course?.seats = 0
        content.title = ""
        let form = ListingForm(content: content, action: "list") { content in
            guard var model = content.passing() else { return nil }
            CourseSales.addPassingTerms(to: &model, at: CourseMarket.start)
            return model
        }
        let preview = try await PlannedOperation.preview(by: CourseMarket.ana) { plan in
            try await plan.fill(form) { content, _ in
                _ = try sales.terms(
                    of: content,
                    form: .course,
                    by: CourseMarket.ana,
                    at: CourseMarket.start
                )
                guard content.title.isEmpty else { return }
                throw Refusal(.badListing, forPrograms: "no title", field: "title")
            }
        }
        #expect(preview.problems.map(\.field) == ["title", "course.startsAt", "course.seats"])
    }
}
