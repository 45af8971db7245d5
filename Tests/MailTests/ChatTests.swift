import AccountAccess
import Answers
import Client
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// Chats between whole nodes over links in memory.
@Suite(.timeLimit(.minutes(5)))
struct ChatTests {
    @Test func `a question waits at a second home, and its answer comes back`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let three = try await harness.start("three", in: folders[2])
            let (ana, bo) = try await Self.settle(harness, folders, three)

            // Ana's node is down. Bo asks.
            let two = try await harness.start("two", in: folders[1])
            try await two.signIn("bo")
            try await two.write("Is it still there?", to: ana, by: bo)
            #expect(try await two.messages(of: bo).map(\.state) == ["queued"])
            await harness.runAll()
            let asked = try await two.messages(of: bo)
            #expect(asked.map(\.state) == ["sent"])
            #expect(asked.map(\.heldBy) == [1])
            await harness.stop(two)

            // Bo's node is down. Ana comes back and reads.
            let one = try await harness.start("one", in: folders[0])
            await harness.runAll()
            try await one.signIn("ana")
            await harness.runAll()
            let question = try await one.messages(of: ana)
            #expect(question.map(\.text) == ["Is it still there?"])
            #expect(question.map(\.state) == ["received"])
            #expect(question.map(\.sender) == [bo.checksummed])
            await harness.stop(one)
            return
        }
        try await ChatHarness.run { harness in
            try await Self.answerBothWays(harness, folders)
        }
    }

    /// Accounts on nodes one and two that know each other; both nodes are then stopped.
    private static func settle(
        _ harness: ChatHarness,
        _ folders: [TemporaryFolder],
        _ three: ChatNode
    ) async throws -> (ana: Address, bo: Address) {
        let one = try await harness.start("one", in: folders[0])
        let two = try await harness.start("two", in: folders[1])
        let ana = try await one.createAccount("ana")
        let bo = try await two.createAccount("bo")
        let home = try await one.chat.homes.add(HomeRequest(address: three.address), for: ana)
        #expect(!home.isThisNode)
        let homes = try await one.chat.homes.all(of: ana)
        #expect(homes.map(\.isThisNode) == [true, false])
        await harness.runAll()
        await harness.stop(one)
        await harness.stop(two)
        return (ana, bo)
    }

    /// Both are up again: she reads and answers, both see it delivered and read.
    private static func answerBothWays(
        _ harness: ChatHarness,
        _ folders: [TemporaryFolder]
    ) async throws {
        let one = try await harness.start("one", in: folders[0])
        let two = try await harness.start("two", in: folders[1])
        try await one.signIn("ana")
        try await two.signIn("bo")
        let ana = try Address(text: try #require(await one.accounts.list().first).address)
        let bo = try Address(text: try #require(await two.accounts.list().first).address)
        await harness.runAll()
        // Strangers are not told that anybody is there.
        #expect(try await two.messages(of: bo).map(\.state) == ["sent"])

        let atAna = try #require(try await one.conversations(of: ana).first)
        #expect(atAna.unread == 1)
        try await one.readAll(atAna.id, by: ana)
        try await one.write("Yes!", in: atAna.id, by: ana)
        await harness.runAll()
        #expect(try await two.messages(of: bo).map(\.state) == ["read", "received"])
        #expect(try await two.messages(of: bo).map(\.text) == ["Is it still there?", "Yes!"])
        #expect(try await one.messages(of: ana).map(\.state) == ["read", "delivered"])

        let atBo = try #require(try await two.conversations(of: bo).first)
        try await two.readAll(atBo.id, by: bo)
        await harness.runAll()
        #expect(try await one.messages(of: ana).map(\.state) == ["read", "read"])
        #expect(try await two.messages(of: bo).map(\.state) == ["read", "read"])
        #expect(try await one.conversations(of: ana).map(\.unread) == [0])
    }

    @Test func `a recipient with two homes sees each message once`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, bo in
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            try await two.write("first", to: ana, by: bo)
            try await two.write("second", to: ana, by: bo)
            await two.chat.runOnce()
            #expect(try await two.messages(of: bo).map(\.heldBy) == [2, 2])
            for _ in 0..<4 {
                await harness.runAll()
                harness.clock.advance(by: 100)
            }
            #expect(try await one.messages(of: ana).map(\.text) == ["first", "second"])
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered", "delivered"])
        }
    }

    @Test func `keeps mail for a locked account and opens it at sign-in`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            await one.signOut()
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await two.messages(of: bo).map(\.state) == ["sent"])
            await #expect(throws: Refusal.self) { try await one.messages(of: ana) }

            try await one.signIn("ana")
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered"])
        }
    }

    @Test func `two accounts of one node write to each other`() async throws {
        try await ChatHarness.pair { harness, one, _, ana, _ in
            let eve = try await one.createAccount("eve")
            try await one.chat.accept(eve, by: ana)
            try await one.write("Hello, neighbour", to: ana, by: eve)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello, neighbour"])
            #expect(try await one.messages(of: eve).map(\.state) == ["delivered"])
        }
    }

    @Test func `a first sale makes an account republish its records as anchored`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, _ in
            func lanes() throws -> [RecordLane] {
                try two.store.read { transaction in
                    try transaction.records(of: .profile, by: ana, limit: 1).map(\.lane)
                        + transaction.records(of: .device, by: ana, limit: 1).map(\.lane)
                }
            }
            let before = try lanes()
            harness.joinSale(ana)
            await harness.runAll()
            let after = try lanes()
            #expect(before == [.open, .open])
            #expect(after == [.anchored, .anchored])
        }
    }

    @Test func `pages back through a long conversation to its beginning`() async throws {
        try await ChatHarness.pair { _, one, _, ana, bo in
            let texts = (1...7).map { "\($0)" }
            for text in texts { try await one.write(text, to: bo, by: ana) }
            let talk = try #require(try await one.conversations(of: ana).first).id
            var seen: [String] = []
            var first: String?
            repeat {
                let page = try await one.chat.messages(in: talk, of: ana, before: first, limit: 3)
                seen = page.map(\.text) + seen
                first = page.first?.id
            } while first != nil && seen.count <= texts.count
            #expect(seen == texts)
        }
    }

    @Test func `reports changes of messages as events`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            func told(_ node: ChatNode, _ account: Address) throws -> [String] {
                try node.store.read { try $0.events(of: account, after: 0, limit: 50).events }
                    .map { number, event in
                        let read = try event.shown(number)
                        return "\(read.type) \(read.data["state"] ?? "")"
                    }
            }
            #expect(try told(one, ana) == ["message received"])
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.readAll(talk.id, by: ana)
            await harness.runAll()
            try await two.write("Hello?", to: ana, by: bo)
            await harness.runAll()
            let way = ["message queued", "message sent", "receipt delivered"]
            #expect(try told(two, bo) == way + ["receipt read"] + way)
        }
    }

    @Test func `texts and keys on disk can be opened only with the account's key`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await two.write("a secret between us", to: ana, by: bo)
            await harness.runAll()
            let talk = try #require(try await one.conversations(of: ana).first)
            let id = try #require(Bytes32(hex: talk.id))
            for (node, account) in [(one, ana), (two, bo)] {
                let kept = try node.store.read {
                    try $0.messages(account: account, conversation: id, limit: 10).map(\.bytes)
                }
                #expect(kept.count == 1)
                let text = String(decoding: kept.joined(), as: UTF8.self)
                #expect(!text.contains("secret"))
            }
        }
    }

    /// - From people: an unknown recipient, a message of more than 16,384 bytes, an unknown
    ///   conversation → unknown_recipient, message_too_long, unknown_conversation
    /// - From people: an empty or blank message → malformed_value
    /// - From people: a locked account's mail → needs_unlock
    @Test func `refuses a wrong call with its own message`() async throws {
        try await ChatHarness.pair { _, _, two, ana, bo in
            func code(_ body: () async throws -> Void) async -> ProblemCode? {
                do {
                    try await body()
                    return nil
                } catch {
                    return (error as? Refusal)?.code
                }
            }
            let chat = two.chat
            let stranger = testKey("nobody").address.checksummed
            for (with, expected) in [
                (stranger, .unknownRecipient), ("0x12", .badAddress),
                (bo.checksummed, .badAddress),
            ] as [(String, ProblemCode)] {
                let found = await code {
                    _ = try await chat.open(ConversationOpening(with: with), by: bo)
                }
                #expect(found == expected)
            }
            let listing = "\(stranger).\(String(repeating: "1", count: 64))"
            let foreign = await code {
                let opening = ConversationOpening(with: ana.checksummed, listing: listing)
                _ = try await chat.open(opening, by: bo)
            }
            #expect(foreign == .unknownListing)
            let talk = try await chat.open(ConversationOpening(with: ana.checksummed), by: bo)
            for (text, id, expected) in [
                ("", talk.id, .malformedValue), (" \n\u{3000}", talk.id, .malformedValue),
                (String(repeating: "x", count: 16_385), talk.id, .messageTooLong),
                ("hi", "0x77", .unknownConversation),
                ("hi", Bytes32(repeating: 7).hex, .unknownConversation),
            ] as [(String, String, ProblemCode)] {
                let found = await code {
                    try await two.write(text, in: id, by: bo)
                }
                #expect(found == expected)
            }
            let locked = await code { _ = try await two.conversations(of: ana) }
            #expect(locked == .nodeLocked)
        }
    }

    @Test func `a conversation about a listing is separate from a general one`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let listing = "\(ana.checksummed).\(String(repeating: "ab", count: 32))"
            let opening = ConversationOpening(with: ana.checksummed, listing: listing)
            let talk = try await two.chat.open(opening, by: bo)
            let again = try await two.chat.open(opening, by: bo)
            try await two.write("The bell?", in: talk.id, by: bo)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()

            #expect(talk.id == again.id)
            let talks = try await one.conversations(of: ana)
            #expect(talks.count == 2)
            #expect(talks.first { $0.id == talk.id }?.lastMessage?.text == "The bell?")
        }
    }
}
