import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

@testable import Trade

/// Which operations keep others from beginning, without a journal or a sender.
///
/// Trade is imported as testable: only the runner asks the book.
struct OperationBookTests {
    private static let account = testKey(1).address
    private static let slot = Bytes32(repeating: 5)
    private static let sale = SaleID(Bytes32(repeating: 7))

    private static func plan(
        _ number: UInt64,
        slot: Bytes32? = nil,
        reopening: OperationPlan.Reopening? = nil
    ) -> OperationPlan {
        OperationPlan(
            purpose: "edit",
            steps: [Intent.Step(to: testKey(2).address, value: Amount(small: number), data: [])],
            publications: slot.map { [.init(kind: .listing, slot: $0, payload: [])] } ?? [],
            reopening: reopening
        )
    }

    private static func request(_ name: String) throws -> OperationRequest {
        try OperationRequest(.edit, [name], by: account, key: name)
    }

    private static func entry(_ id: String, _ plan: OperationPlan) -> OpenOperation {
        OpenOperation(
            operation: Client.Operation(
                id: id,
                kind: .edit,
                state: .running,
                account: account.checksummed,
                subject: nil,
                phases: [],
                problem: nil,
                createdAt: Date(timeIntervalSince1970: 1_763_700_000)
            ),
            account: account,
            plan: plan,
            intent: OperationPlan.intentID(operation: id),
            isResumed: false,
            isSubmitted: false
        )
    }

    private static func code(_ body: () throws -> Void) -> ProblemCode? {
        do { try body() } catch { return (error as? Refusal)?.code }
        return nil
    }

    @Test func `counts operations that are being begun into an account's room`() throws {
        var book = OperationBook()
        for number in 1..<OperationBook.openMax {
            book.add(Self.entry("\(number)", Self.plan(UInt64(number))))
        }
        #expect(Self.code { try book.requireRoom(for: Self.account) } == nil)
        let start = OperationBook.Start(try Self.request("last"), Self.plan(99), on: nil)
        book.begin(start)
        #expect(Self.code { try book.requireRoom(for: Self.account) } == .inProgress)
        book.end(start)
        #expect(Self.code { try book.requireRoom(for: Self.account) } == nil)
    }

    @Test func `refuses the same steps under another key while they begin`() throws {
        var book = OperationBook()
        let first = OperationBook.Start(
            try Self.request("a"),
            Self.plan(1, slot: Self.slot),
            on: nil
        )
        book.begin(first)
        let same = OperationBook.Start(try Self.request("b"), Self.plan(1), on: nil)
        let other = OperationBook.Start(try Self.request("c"), Self.plan(2), on: nil)
        let listing = OperationBook.Start(
            try Self.request("d"),
            Self.plan(3, slot: Self.slot),
            on: nil
        )
        #expect(Self.code { try book.requireNotStarting(first) } == nil)
        #expect(Self.code { try book.requireNotStarting(same) } == .inProgress)
        #expect(Self.code { try book.requireNotStarting(other) } == nil)
        #expect(Self.code { try book.requireUnchanged(by: other) } == nil)
        #expect(Self.code { try book.requireUnchanged(by: listing) } == .inProgress)
    }

    @Test func `names the rivals of an owner's plan, which keep nothing from it`() throws {
        var book = OperationBook()
        book.add(
            Self.entry("again", Self.plan(1, slot: Self.slot, reopening: .automatic(Self.sale)))
        )
        book.add(Self.entry("other", Self.plan(2)))
        let owners = try Self.request("owner")
        let plan = Self.plan(3, slot: Self.slot)
        #expect(book.rivals(of: plan, about: nil, owners).keys.sorted() == ["again"])
        #expect(book.rivals(of: Self.plan(3), about: nil, owners).isEmpty)
        let id = ListingID(author: Self.account, slot: Self.slot)
        func isRefused() -> Bool {
            Self.code { try book.requireUnchanged([id], onlyMoving: false) } == .inProgress
        }
        #expect(!isRefused())
        book.forget("again")
        book.add(Self.entry("changed", plan))
        #expect(isRefused())
    }

    @Test func `keeps the order of an operation whose end is not written`() {
        var book = OperationBook()
        for id in ["a", "b", "c"] { book.add(Self.entry(id, Self.plan(1))) }
        let taken = book.take("b")
        #expect(taken != nil && book["b"] == nil)
        book["b"] = taken
        #expect(book.order == ["a", "b", "c"] && book["b"] != nil)
        book.forget("b")
        #expect(book.order == ["a", "c"] && book.open.count == 2)
    }
}
