import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct AccountRemovalTests {
    @Test func `a removed account loses its sessions and returns by its phrase`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let creation = #"{"name":"ana","password":"correct horse"}"#
            let made: CreatedAccount = try await node.call(.POST, "accounts", body: creation).read()
            let phrase = try #require(made.phrase)
            let signIn = #"{"account":"ana","password":"correct horse"}"#
            let session: Session = try await node.call(.POST, "sessions", body: signIn).read()
            let other = try await node.signIn("bo")

            let path = "accounts/\(made.account.address)/remove"
            let wrong = try await node.call(.POST, path, body: #"{"password":"wrong horse"}"#)
            #expect(wrong.status == 401 && wrong.code == "wrong_password")
            #expect(try await node.call(.GET, "homes", token: session.token).status == 200)

            let good = #"{"password":"correct horse"}"#
            #expect(try await node.call(.POST, path, body: good).status == 204)
            #expect(try await node.call(.GET, "homes", token: session.token).status == 401)
            #expect(try await node.call(.POST, "sessions", body: signIn).code == "wrong_password")
            #expect(try await node.call(.POST, path, body: good).code == "wrong_password")
            let left: [Account] = try await node.call(.GET, "accounts").read()
            #expect(left.map(\.name) == ["bo"])
            #expect(try await node.call(.GET, "homes", token: other.token).status == 200)

            let again = #"{"name":"ana2","password":"other horse","phrase":"\#(phrase)"}"#
            let back: CreatedAccount = try await node.call(.POST, "accounts", body: again).read()
            #expect(back.account.address == made.account.address)
        }
    }

    @Test func `removing an account withdraws its profile, unless it continues`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            let bo = try await node.signIn("bo")
            let address = try NodeAddress(text: node.running.api)
            for (name, withdraws) in [("ana", nil), ("eva", true), ("ida", false)]
                as [(String, Bool?)]
            {
                let account = try await node.signIn(name).account.address
                try await StoaClient.scoped(address, token: bo.token) { client in
                    // It is published after the account was made.
                    try await waitUntil { (try? await client.profile(of: account)) != nil }
                    try await client.removeAccount(
                        name,
                        AccountRemoval(password: "correct horse", withdrawsProfile: withdraws)
                    )
                    guard withdraws != false else {
                        #expect(try await client.profile(of: account).name == name)
                        return
                    }
                    let gone = await #expect(throws: Problem.self) {
                        try await client.profile(of: account)
                    }
                    #expect(gone?.code == "not_found")
                }
            }
        }
    }

    /// - From people: removing an account with open sales or operations → account_busy
    @Test func `removing an account with an open sale needs explicit consent`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            let node = market.node
            let refused = try await node.call(
                .POST,
                "accounts/ana/remove",
                body: #"{"password":"correct horse"}"#
            )
            #expect(refused.status == 409 && refused.code == "account_busy")
            let detail = try refused.read(Problem.self).detail
            #expect(detail.hasPrefix("This account has one sale under way."), "\(detail)")
            #expect(try await node.call(.GET, "wallet", token: market.ana.token).status == 200)
            let removed = try await node.call(
                .POST,
                "accounts/ana/remove",
                body: #"{"password":"correct horse","acceptsLosses":true}"#
            )
            #expect(removed.status == 204)
            // What it has published is everybody's.
            let path = "listings/\(listing)"
            #expect(try await node.call(.GET, path, token: market.bo.token).status == 200)
        }
    }
}
