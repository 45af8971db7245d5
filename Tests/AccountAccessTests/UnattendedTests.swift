import Answers
import Client
import Foundation
import Keys
import Market
import Setup
import Storage
import Support
import Testing

@testable import AccountAccess

/// Accounts that are left alone, by a clock that the test turns.
///
/// AccountAccess is imported as testable, to sweep without waiting for the time of the next sweep.
@Suite(.timeLimit(.minutes(1)))
struct UnattendedTests {
    private static let days: UInt64 = 86_400

    private let folder: TemporaryFolder
    private let store: Store
    private let clock = TurnedClock()
    private let nodeKey = testKey("node")

    private struct Use: UnattendedUse {
        let move: UnattendedMove
        let digest = Bytes32(repeating: 7)
    }

    /// How an account's moves can end.
    enum End: CaseIterable { case off, time, password, removal }

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path, mapBytes: 1 << 26)
    }

    /// Starts the accounts, as after a restart.
    private func start(under key: PrivateKey? = nil) -> Accounts {
        Accounts(
            store: store,
            clock: clock,
            cost: .light,
            idle: .seconds(900),
            life: .seconds(3_600),
            unattendedKeys: UnattendedKeys(
                in: DataFolder(path: folder.path),
                under: key ?? nodeKey
            )
        )
    }

    private static func request(
        _ moves: [String] = ["end", "deliver"],
        days count: UInt64 = 60,
        password: String = "a password"
    ) -> UnattendedRequest {
        UnattendedRequest(password: password, moves: moves, seconds: count * days)
    }

    /// Makes an account and leaves it alone.
    private func leaveAna(on accounts: Accounts) async throws -> Address {
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: "ana", password: "a password")
        )
        let left = try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        #expect(left.moves == ["deliver", "end"])
        return try Address(text: made.account.address)
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("unattended"))) ?? []
    }

    private func file(_ account: Address) -> String {
        folder.path("unattended/\(account.checksummed).json")
    }

    @Test func `a key stays over restarts, for its moves alone`() async throws {
        let ana = try await leaveAna(on: start())
        let accounts = start()
        #expect(await accounts.allowedMoves == [ana: [.deliver, .end]])
        #expect(await accounts.accounts(allowing: .end) == [ana])
        #expect(await accounts.accounts(allowing: .claim).isEmpty)
        let key = try #require(try await accounts.unattended.key(of: ana))
        for move in UnattendedMove.allCases {
            #expect((key.sign(Use(move: move)) != nil) == [.deliver, .end].contains(move))
        }
        #expect(key.sign(Use(move: .end))?.signer(of: Bytes32(repeating: 7))?.address == ana)
        #expect(key.deliverySecret != nil)
        // Whatever needs a session has none.
        #expect(await accounts.key(of: ana) == nil)
        #expect(await accounts.localSecret(of: ana) == nil)
        #expect(await accounts.unlocked.isEmpty)
        #expect(try await accounts.account(ana).isUnlocked == false)
        #expect(try await accounts.account(ana).unattended?.moves == ["deliver", "end"])

        // It replaces what was allowed before.
        _ = try await accounts.leaveAlone("ana", Self.request(["claim"]), by: .operator)
        let other = try #require(try await accounts.unattended.key(of: ana))
        #expect(other.sign(Use(move: .end)) == nil && other.deliverySecret == nil)
        #expect(other.sign(Use(move: .claim)) != nil)
    }

    @Test func `the file of a key is its owner's alone, and only this node opens it`() async throws
    {
        let ana = try await leaveAna(on: start())
        #expect(files == ["\(ana.checksummed).json"])
        let path = file(ana)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try await start(under: testKey("other")).unattended.key(of: ana) == nil)
        // The moves are sealed with the key.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let wider = text.replacing(#""deliver""#, with: #""refund""#)
        #expect(wider != text)
        try wider.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await start().unattended.key(of: ana) == nil)
    }

    /// A change of the file of Ana's key.
    enum Damage: CaseIterable { case moves, time, half, empty, address }

    private func damage(_ damage: Damage, _ path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var changed = text
        switch damage {
        case .moves: changed = text.replacing(#""deliver""#, with: #""claim","deliver""#)
        case .time: changed = text.replacing(/"until":\d/, with: #""until":9"#)
        case .half: changed = String(text.prefix(text.count / 2))
        case .empty: changed = ""
        case .address: changed = text.replacing("\"0x", with: "\"0X")
        }
        #expect(changed != text)
        try PrivateFile.write(changed.utf8, to: path)
    }

    /// - From people: a file of an account that is left alone that was changed or is damaged → the
    ///   account shows it as damaged, and nothing is allowed
    @Test(arguments: Damage.allCases)
    func `a changed file is shown as damaged and allows nothing`(kind: Damage) async throws {
        let ana = try await leaveAna(on: start())
        let other = folder.path("unattended/copy.json")
        try FileManager.default.copyItem(atPath: file(ana), toPath: other)
        try damage(kind, file(ana))

        let accounts = start()
        #expect(await accounts.allowedMoves.isEmpty)
        #expect(try await accounts.unattended.key(of: ana) == nil)
        let shown = UnattendedMoves(moves: [], isDamaged: true)
        #expect(try await accounts.unattended.moves(ofAccount: "ana") == shown)
        #expect(try await accounts.account(ana).unattended == shown)
        await accounts.unattended.end(at: clock.now)
        #expect(files.count == 2)

        try await accounts.unattended.end("ana", by: ana)
        #expect(try await accounts.account(ana).unattended == nil)
        // A copy under another name brings nothing back.
        #expect(files == ["copy.json"])
        #expect(await start().allowedMoves.isEmpty)
        let left = try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        #expect(left.moves == ["deliver", "end"] && left.isDamaged == nil)
        #expect(await start().allowedMoves == [ana: [.deliver, .end]])
    }

    @Test(arguments: End.allCases)
    func `an end counts at once, and removes the key from the disk`(end: End) async throws {
        let accounts = start()
        let ana = try await leaveAna(on: accounts)
        let kept = try Data(contentsOf: URL(filePath: file(ana)))
        switch end {
        case .off: try await accounts.unattended.end("ana", by: ana)
        case .time: clock.advance(by: 60 * 86_400)
        case .password:
            try await accounts.changePassword(
                of: "ana",
                PasswordChange(password: "a password", newPassword: "a new password"),
                by: .operator
            )
        case .removal:
            try await accounts.remove("ana", AccountRemoval(password: "a password"), by: .operator)
            { _ in UnfinishedWork(sales: 0, operations: 0) }
        }
        #expect(try await accounts.unattended.key(of: ana) == nil)
        #expect(await accounts.allowedMoves.isEmpty)
        await accounts.unattended.end(at: clock.now)
        #expect(files.isEmpty)
        #expect(try await start().unattended.key(of: ana) == nil)
        // A copy of the file that is put back opens nothing, and goes too.
        guard end != .off else { return }
        try PrivateFile.write(kept, to: file(ana))
        let restarted = start()
        #expect(try await restarted.unattended.key(of: ana) == nil)
        #expect(await restarted.unattended.moves(of: ana).moves.isEmpty)
        await restarted.unattended.end(at: clock.now)
        #expect(files.isEmpty)
    }

    /// - From people: leaving an account alone while the node cannot write the key → internal_error
    @Test func `a key that cannot be written allows nothing`() async throws {
        let accounts = start()
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: "ana", password: "a password")
        )
        let ana = try Address(text: made.account.address)
        // A folder in the place of its draft.
        let draft = file(ana) + ".new/folder"
        try FileManager.default.createDirectory(
            atPath: draft,
            withIntermediateDirectories: true
        )
        let refusal = await #expect(throws: Refusal.self) {
            try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        }
        #expect(refusal?.code == .internalError)
        #expect(refusal?.detail.hasPrefix("\(file(ana)).new was changed or damaged") == true)
        #expect(await accounts.allowedMoves.isEmpty)
        #expect(try await accounts.account(ana).unattended == nil)
        #expect(files == ["\(ana.checksummed).json.new"])
    }

    /// - From people: a folder in the place of the file of an account that is left alone →
    ///   internal_error, with its path
    @Test func `a folder in the place of a key's file is named as damaged`() async throws {
        let ana = try await leaveAna(on: start())
        try FileManager.default.removeItem(atPath: file(ana))
        try FileManager.default.createDirectory(
            atPath: file(ana),
            withIntermediateDirectories: false
        )
        let accounts = start()
        let on = await #expect(throws: Refusal.self) {
            try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        }
        let off = await #expect(throws: Refusal.self) {
            try await accounts.unattended.end("ana", by: ana)
        }
        for refusal in [on, off] {
            #expect(refusal?.code == .internalError)
            #expect(refusal?.detail.hasPrefix("\(file(ana)) was changed or damaged") == true)
        }
        #expect(await accounts.allowedMoves.isEmpty)
        #expect(try await accounts.unattended.moves(ofAccount: "ana").isDamaged == true)
        try FileManager.default.removeItem(atPath: file(ana))
        _ = try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        try await accounts.unattended.end("ana", by: ana)
        #expect(files.isEmpty)
        // The same of the folder of all.
        try FileManager.default.removeItem(atPath: folder.path("unattended"))
        try Data().write(to: URL(filePath: folder.path("unattended")))
        let all = await #expect(throws: Refusal.self) {
            try await accounts.leaveAlone("ana", Self.request(), by: .operator)
        }
        #expect(all?.detail.hasPrefix("\(folder.path("unattended")) was changed") == true)
    }

    /// - From people: a wrong password for leaving an account alone → wrong_password
    /// - From people: leaving an account alone with no or unknown moves, or for more than 365 days →
    ///   malformed_value
    /// - From people: leaving an account alone that signs elsewhere → signs_elsewhere
    /// - From people: ending what another account has left to the node → not_allowed
    @Test func `refuses to be left alone otherwise`() async throws {
        let accounts = start()
        let made = try await AccountCreator(for: accounts).create(
            AccountCreation(name: "ana", password: "a password")
        )
        let ana = try Address(text: made.account.address)
        func code(_ body: () async throws -> some Sendable) async -> ProblemCode? {
            do {
                _ = try await body()
                return nil
            } catch {
                return (error as? Refusal)?.code
            }
        }
        func leaving(_ request: UnattendedRequest) async -> ProblemCode? {
            await code { try await accounts.leaveAlone("ana", request, by: .operator) }
        }
        #expect(await leaving(Self.request(password: "another password")) == .wrongPassword)
        for moves in [[], ["send"], ["end", "buy"]] as [[String]] {
            #expect(await leaving(Self.request(moves)) == .malformedValue)
        }
        #expect(await leaving(Self.request(days: 0)) == .malformedValue)
        #expect(await leaving(Self.request(days: 366)) == .malformedValue)
        #expect(files.isEmpty)
        #expect(await leaving(Self.request(days: 365)) == nil)
        let stranger = testKey(2).address
        #expect(
            await code { try await accounts.unattended.end("ana", by: stranger) } == .notAllowed
        )
        #expect(await code { try await accounts.unattended.moves(ofAccount: "bo") } == .notFound)
        _ = try await AccountCreator(for: accounts).addExternal(
            stranger,
            named: "elsewhere",
            password: "a password",
            by: .operator
        )
        #expect(
            await code {
                try await accounts.leaveAlone("elsewhere", Self.request(), by: .operator)
            } == .signsElsewhere
        )
        #expect(try await accounts.unattended.key(of: ana) != nil)
    }
}
