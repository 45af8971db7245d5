import Client
import Foundation
import Setup
import Support
import Testing

/// Public profiles and contacts' names, over the API of a whole node.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProfileTests {
    /// A node with Ana and Bo, and Ana's client.
    private static func run(
        _ body:
            @escaping @Sendable (_ client: StoaClient, _ ana: Session, _ bo: Session)
            async throws -> Void
    ) async throws {
        try await TestNode.run { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            let address = try NodeAddress(text: node.running.api)
            try await StoaClient.scoped(address, token: ana.token) { client in
                for account in [ana.account.address, bo.account.address] {
                    // It is published after the account was made.
                    try await waitUntil { (try? await client.profile(of: account)) != nil }
                }
                try await body(client, ana, bo)
            }
        }
    }

    private static func refused(
        _ code: String,
        _ field: String?,
        _ body: () async throws -> Void
    ) async {
        let problem = await #expect(throws: Problem.self) { try await body() }
        #expect(problem?.code == code && problem?.field == field)
    }

    @Test func `a profile shows its account's fields and keeps unknown ones`() async throws {
        try await Self.run { client, ana, bo in
            let picture = try await client.addMedia(MediaSamples.png(30, 20))
            let full = try await client.changeProfile(
                ProfileChange(
                    name: "Ana's bicycles",
                    about: "Repaired and sold since 1998.",
                    avatar: picture.id,
                    region: "Hamburg"
                )
            )
            #expect(full.account == ana.account.address && full.name == "Ana's bicycles")
            #expect(full.avatar?.id == picture.id && full.region == "Hamburg")
            #expect(try await client.profile(of: ana.account.address) == full)
            let changed = try await client.changeProfile(ProfileChange(region: "Kiel"))
            #expect(changed.region == "Kiel" && changed.name == full.name)
            #expect(changed.about == full.about && changed.avatar == full.avatar)
            let bare = try await client.changeProfile(ProfileChange(about: "", avatar: ""))
            #expect(bare.about == "" && bare.avatar == nil && bare.region == "Kiel")
            // Nobody else's changed.
            #expect(try await client.profile(of: bo.account.address).name == "bo")
        }
    }

    /// - From people: a profile's name that others could take for themselves, for an address or for
    ///   the marks of a list → malformed_value
    @Test func `refuses a profile with a bad or long name or a bad picture`() async throws {
        try await Self.run { client, ana, _ in
            let before = try await client.profile(of: ana.account.address)
            let bill = try await client.addMedia(MediaSamples.pdf())
            await Self.refused("malformed_value", "avatar") {
                _ = try await client.changeProfile(ProfileChange(avatar: bill.id))
            }
            let unknown = "0x" + String(repeating: "0f", count: 32)
            await #expect(throws: Problem.self) {
                _ = try await client.changeProfile(ProfileChange(avatar: unknown))
            }
            await Self.refused("malformed_value", "about") {
                let long = String(repeating: "long ", count: 700)
                _ = try await client.changeProfile(ProfileChange(about: long))
            }
            await #expect(throws: Problem.self) {
                _ = try await client.changeProfile(ProfileChange(name: "two\nlines"))
            }
            for name in ["You", "Ana  [read]", "bo (0x16D7…8615)", "\u{41E}\u{445}5290a1"] {
                await Self.refused("malformed_value", "name") {
                    _ = try await client.changeProfile(ProfileChange(name: name))
                }
            }
            #expect(try await client.profile(of: ana.account.address) == before)
            await Self.refused("not_found", "account") {
                _ = try await client.profile(of: "0x" + String(repeating: "0f", count: 20))
            }
        }
    }

    @Test func `only the account that named a contact sees that name`() async throws {
        try await Self.run { client, _, bo in
            let other = "0x" + String(repeating: "0f", count: 20)
            let named = try await client.name(other, "Carl from next door")
            #expect(named.account.lowercased() == other && named.name == "Carl from next door")
            #expect(!named.isBlocked && named.profileName == nil)
            #expect(try await client.contacts() == [named])
            // It is found by this name: he has published nothing.
            await Self.refused("not_found", "account") {
                _ = try await client.profile(of: "carl from next door")
            }
            #expect(try await client.name(other, "Neighbour").name == "Neighbour")
            await Self.refused("bad_address", "account") {
                _ = try await client.profile(of: "Carl from next door")
            }
            let second = try await client.name(bo.account.address, "Bo at work")
            #expect(second.profileName == "bo")
            #expect(try await client.contacts().map(\.name) == ["Bo at work", "Neighbour"])
            try await client.removeContact("Neighbour")
            #expect(try await client.contacts() == [second])
            await Self.refused("not_found", nil) { try await client.removeContact(other) }
        }
    }

    @Test func `refuses a contact name that has another meaning`() async throws {
        try await Self.run { client, ana, bo in
            for name in ["", "two\nlines", "0x12ab", "ANA", String(repeating: "n", count: 65)] {
                await Self.refused("malformed_value", "name") {
                    _ = try await client.name(bo.account.address, name)
                }
            }
            let other = "0x" + String(repeating: "0f", count: 20)
            _ = try await client.name(other, "Carl")
            await Self.refused("malformed_value", "name") {
                _ = try await client.name(bo.account.address, "carl")
            }
            await #expect(throws: Problem.self) {
                _ = try await client.name(ana.account.address, "Myself")
            }
            #expect(try await client.contacts().map(\.name) == ["Carl"])
        }
    }
}
