import Answers
import Client
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// What becomes of mail when the room for conversations is used up.
@Suite(.timeLimit(.minutes(5)))
struct ChatRoomTests {
    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    private static var limits: StoreLimits {
        var limits = StoreLimits()
        limits.conversationBytesMax = 200_000
        return limits
    }

    /// - From people: a text or report for which the account's conversations have no room →
    ///   not_allowed
    @Test func `an account writes no more than its conversations have room for`() async throws {
        try await ChatHarness.pair(limits: Self.limits) { harness, one, two, ana, bo in
            try await two.write("hello", to: ana, by: bo)
            await harness.runAll()
            let text = String(repeating: "x", count: 8_000)
            var sent = 0
            let refusal = await refusal {
                while sent < 100 {
                    try await one.write(text, to: bo, by: ana)
                    sent += 1
                    await harness.runAll(times: 1)
                }
            }
            #expect(refusal?.code == .notAllowed && (5..<25).contains(sent), "\(sent)")
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            try await one.write(text, to: bo, by: ana)
        }
    }

    @Test func `mail waits while its reader's conversations have no room`() async throws {
        try await ChatHarness.pair(limits: Self.limits) { harness, one, two, ana, bo in
            try await one.write("hello", to: bo, by: ana)
            await harness.runAll()
            let text = String(repeating: "x", count: 8_000)
            for _ in 0..<40 {
                try await two.write(text, to: ana, by: bo)
                await harness.runAll(times: 1)
            }
            let kept = try await one.messages(of: ana).count
            #expect((5..<30).contains(kept), "\(kept)")
            let bytes = try one.store.read { try $0.conversationBytes(of: ana) }
            #expect(bytes <= 220_000, "\(bytes)")
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            await harness.runAll(times: 3, every: 700)
            #expect(try await one.messages(of: ana).count > 0)
        }
    }
}
