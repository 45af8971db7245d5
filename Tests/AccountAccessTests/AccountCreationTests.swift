import AccountAccess
import Answers
import Client
import Keys
import Storage
import Support
import Testing

/// Which accounts a node takes.
@Suite(.timeLimit(.minutes(1)))
struct AccountCreationTests {
    private let folder: TemporaryFolder
    private let accounts: Accounts

    init() throws {
        folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.accountsMax = 16
        accounts = Accounts(
            store: try Store(folder: folder.path, mapBytes: 1 << 26, limits: limits),
            cost: .light,
            idle: .seconds(900),
            life: .seconds(3_600)
        )
    }

    private func create(_ name: String, by caller: CallerGroup = .operator) async throws {
        _ = try await AccountCreator(for: accounts).create(
            AccountCreation(name: name, password: "a password"),
            by: caller
        )
    }

    @Test(arguments: ["zoe\u{2764}\u{FE0F}", "\u{845B}\u{E0100}", "\u{845B}\u{FE00}"])
    func `takes a variation selector after an emoji or an ideograph`(name: String) async throws {
        try await create(name)
    }

    /// - From people: an account that one without the operator's token creates on a node with fifteen
    ///   sixteenths of its accounts; one more than all → not_allowed
    @Test func `keeps the last places for the operator`() async throws {
        for number in 1...15 { try await create("person-\(number)", by: .thisMachine(nil)) }
        var refused = await #expect(throws: Refusal.self) {
            try await create("late", by: .thisMachine(nil))
        }
        #expect(refused?.code == .notAllowed && refused?.detail.contains("at most 15") == true)
        try await create("late")
        refused = await #expect(throws: Refusal.self) { try await create("later") }
        #expect(refused?.code == .notAllowed && refused?.detail.contains("at most 16") == true)
    }
}
