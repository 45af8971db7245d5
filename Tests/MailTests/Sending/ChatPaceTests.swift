import Client
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Support
import Testing

/// Accounts of one node that send a lot to the same home.
@Suite(.timeLimit(.minutes(5)))
struct ChatPaceTests {
    /// Ana on a node that answers few questions at once, and Bo and Eve on another one.
    private static func trio(
        _ body: (ChatHarness, ChatNode, ChatNode, Address, Address, Address) async throws -> Void
    ) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        var limits = ChatNode.mailLimits
        (limits.burstMax, limits.questionsPerSecond) = (16, 20)
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0], mailLimits: limits)
            let two = try await harness.start("two", in: folders[1], mailLimits: limits)
            let ana = try await one.createAccount("ana")
            let (bo, eve) = (try await two.createAccount("bo"), try await two.createAccount("eve"))
            for other in [bo, eve] {
                try await one.chat.accept(other, by: ana)
                try await two.chat.accept(ana, by: other)
                // Until ana answers, few messages can be sent to her.
                try await one.write("Hi", to: other, by: ana)
            }
            await harness.runAll()
            try await body(harness, one, two, ana, bo, eve)
        }
    }

    @Test func `an account that sends a lot delays no other account's mail`() async throws {
        try await Self.trio { harness, one, two, ana, bo, eve in
            for number in 1...64 { try await two.write("\(number)", to: ana, by: bo) }
            await two.chat.runOnce()
            try await two.write("Hello", to: ana, by: eve)
            await two.chat.runOnce()
            // No time has passed on the clock by which a home is left alone.
            let sent = try await two.messages(of: eve).filter { $0.text == "Hello" }
            #expect(sent.map { "\($0.state)" } == ["sent"])
            for _ in 1...3 { await two.chat.runOnce() }
            let states = try await two.messages(of: bo).filter { $0.text != "Hi" }
                .map { "\($0.state)" }
            #expect(states.count == 64 && states.allSatisfy { $0 == "sent" })
        }
    }
}
