import AccountAccess
import Client
import Foundation
import Keys
import Storage
import Support
import Testing

/// How a session ends by itself, by a clock that the test turns.
@Suite(.timeLimit(.minutes(1)))
struct SessionEndTests {
    private let folder: TemporaryFolder
    private let clock = TurnedClock()
    private let accounts: Accounts

    init() throws {
        folder = try TemporaryFolder()
        accounts = Accounts(
            store: try Store(folder: folder.path, mapBytes: 1 << 26),
            clock: clock,
            cost: .light,
            idle: .seconds(900),
            life: .seconds(3_600)
        )
    }

    private func signIn() async throws -> (token: String, account: Address) {
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: "ana", password: "a password")
        )
        let session = try await accounts.signIn(SignIn(account: "ana", password: "a password"))
        #expect(session.idleUntil == clock.now + 900 && session.expiresAt == clock.now + 3_600)
        return (session.token, try Address(text: made.account.address))
    }

    /// Waits until the node has dropped the account's key, as it looks for ended sessions.
    private func untilLocked(_ account: Address) async {
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await accounts.run() }
            defer { group.cancelAll() }
            for await _ in accounts.sessionEnds() where await accounts.key(of: account) == nil {
                return
            }
        }
    }

    @Test func `a session ends when unused for long, and locks its account`() async throws {
        let (token, account) = try await signIn()
        for _ in 0..<3 {
            clock.advance(by: 899)
            #expect(await accounts.session(ofToken: token)?.owner == .account(account))
        }
        clock.advance(by: 899)
        let id = Keccak256.hash(token.utf8)
        #expect(await accounts.isOpen(id))
        #expect(await accounts.key(of: account) != nil)
        // To look at it is no use of it.
        let shown = try await accounts.currentSession(id)
        #expect(shown.account?.name == "ana" && shown.idleUntil == clock.now + 1)
        #expect(await accounts.session(ofToken: token, isUse: false)?.id == id)
        clock.advance(by: 1)
        #expect(await !accounts.isOpen(id))
        #expect(await accounts.session(ofToken: token) == nil)
        await untilLocked(account)
    }

    @Test func `a session ends at its maximum age, however much it is used`() async throws {
        let (token, account) = try await signIn()
        for _ in 0..<3_599 {
            clock.advance(by: 1)
            #expect(await accounts.session(ofToken: token)?.owner == .account(account))
        }
        clock.advance(by: 1)
        #expect(await accounts.session(ofToken: token) == nil)
        #expect(await !accounts.isOpen(Keccak256.hash(token.utf8)))
        await untilLocked(account)
        // A new one begins again.
        let again = try await accounts.signIn(SignIn(account: "ana", password: "a password"))
        #expect(again.token != token)
        #expect(await accounts.session(ofToken: again.token)?.owner == .account(account))
    }
}
