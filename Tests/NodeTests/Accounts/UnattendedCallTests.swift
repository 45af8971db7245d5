import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// Accounts that are left alone, over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnattendedCallTests {
    private static let path = "accounts/ana/unattended"

    private static func body(_ password: String) -> String {
        #"{"password":"\#(password)","moves":["end","deliver"],"seconds":86400}"#
    }

    @Test func `an account is left alone over restarts, and no backup has its key`() async throws {
        let (folder, copies) = (try TemporaryFolder(), try TemporaryFolder())
        try await TestNode.run(in: folder.path) { node in
            _ = try await node.signIn("ana")
            let off: UnattendedMoves = try await node.call(.GET, Self.path).read()
            #expect(off == UnattendedMoves(moves: []))
            let wrong = try await node.call(.PUT, Self.path, body: Self.body("wrong horse"))
            #expect(wrong.status == 401 && wrong.code == "wrong_password")
            let answer = try await node.call(.PUT, Self.path, body: Self.body("correct horse"))
            let left: UnattendedMoves = try answer.read()
            #expect(answer.status == 200 && left.moves == ["deliver", "end"])
            #expect(left.until.map { $0 > Date.now + 86_000 } == true)
        }
        let copy = copies.path("backup")
        try await TestNode.run(in: folder.path) { node in
            let left: UnattendedMoves = try await node.call(.GET, Self.path).read()
            #expect(left.moves == ["deliver", "end"])
            let accounts: [Account] = try await node.call(.GET, "accounts").read()
            #expect(accounts.map(\.unattended) == [left] && accounts.first?.isUnlocked == false)
            try DataFolder(path: folder.path).export(to: copy, at: .now)
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: copy)
        #expect(files.contains("node.key") && !files.contains { $0.contains("unattended") })
        try await TestNode.run(in: copy) { node in
            let left: UnattendedMoves = try await node.call(.GET, Self.path).read()
            #expect(left.moves.isEmpty)
        }
    }

    @Test func `the account itself or the operator ends it, without a password`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            let operatorToken = try DataFolder(path: folder.path).operatorToken()
            func files() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path("unattended"))
            }
            for token in [ana.token, operatorToken] {
                let body = Self.body("correct horse")
                #expect(try await node.call(.PUT, Self.path, body: body).status == 200)
                let other = try await node.call(.DELETE, Self.path, token: bo.token)
                #expect(other.code == "not_allowed")
                #expect(try await node.call(.DELETE, Self.path).code == "sign_in_needed")
                #expect(try files().count == 1)
                let ended = try await node.call(.DELETE, Self.path, token: token)
                #expect(ended.status == 204)
                #expect(try files().isEmpty)
                let left: UnattendedMoves = try await node.call(.GET, Self.path).read()
                #expect(left.moves.isEmpty)
            }
            let unknown = try await node.call(.GET, "accounts/cy/unattended")
            #expect(unknown.status == 404)
        }
    }
}
