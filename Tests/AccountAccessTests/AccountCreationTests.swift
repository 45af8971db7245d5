import AccountAccess
import Client
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
        accounts = Accounts(
            store: try Store(folder: folder.path, mapBytes: 1 << 26),
            cost: .light,
            idle: .seconds(900),
            life: .seconds(3_600)
        )
    }

    private func create(_ name: String) async throws {
        _ = try await accounts.create(AccountCreation(name: name, password: "a password"))
    }

    @Test(arguments: ["zoe\u{2764}\u{FE0F}", "\u{845B}\u{E0100}", "\u{845B}\u{FE00}"])
    func `takes a variation selector after an emoji or an ideograph`(name: String) async throws {
        try await create(name)
    }
}
