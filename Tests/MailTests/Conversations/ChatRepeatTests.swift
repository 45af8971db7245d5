import Answers
import Client
import Foundation
import Keys
import Mail
import MailSupport
import Storage
import Support
import Testing

/// Messages that are asked for twice under one name, as after a lost answer.
@Suite(.timeLimit(.minutes(5)))
struct ChatRepeatTests {
    @Test
    func `a repeated call returns the first message in its current state`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let opening = ConversationOpening(with: ana.checksummed)
            let talk = try await two.chat.open(opening, by: bo).id
            let first = try await two.write("Hello", "k", in: talk, by: bo)
            let told = try two.store.read { try $0.lastEventNumber(of: bo) }
            #expect(first.state == "queued")

            #expect(try await two.write("Hello", "k", in: talk, by: bo) == first)
            #expect(try two.store.read { try $0.lastEventNumber(of: bo) } == told)
            await harness.runAll()
            let again = try await two.write("Hello", "k", in: talk, by: bo)
            #expect(again.id == first.id)
            #expect(again.state == "delivered")
            #expect(try await two.messages(of: bo) == [again])
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    /// - From people: a used message Idempotency-Key with another text or conversation →
    ///   idempotency_key_reused
    @Test
    func `refuses another text with the same key until a day has passed`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let opening = ConversationOpening(with: ana.checksummed)
            let talk = try await two.chat.open(opening, by: bo).id
            let listing = "\(ana.checksummed).\(String(repeating: "ab", count: 32))"
            let other = try await two.chat.open(
                ConversationOpening(with: ana.checksummed, listing: listing),
                by: bo
            ).id
            let first = try await two.write("Hello", "k", in: talk, by: bo)
            for (text, id) in [("Hello!", talk), ("Hello", other)] {
                let refusal = await #expect(throws: Refusal.self) {
                    try await two.write(text, "k", in: id, by: bo)
                }
                #expect(refusal?.code == .keyReused)
            }
            let second = try await two.write("Hello", "l", in: talk, by: bo)
            #expect(second.id != first.id)
            await harness.runAll()
            let atAna = try #require(try await one.conversations(of: ana).first)
            _ = try await one.write("Good day", "k", in: atAna.id, by: ana)

            harness.clock.advance(by: 86_401)
            let third = try await two.write("Hello!", "k", in: talk, by: bo)
            #expect(![first.id, second.id].contains(third.id))
        }
    }
}

extension ChatNode {
    fileprivate func write(
        _ text: String,
        _ key: String,
        in talk: String,
        by account: Address
    ) async throws -> Message {
        try await chat.write(MessageDraft(text: text), in: talk, by: account, key: key)
    }
}
