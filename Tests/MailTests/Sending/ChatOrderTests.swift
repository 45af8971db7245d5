import Answers
import Client
import Foundation
import Gossip
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// Order and time of messages, what counts as read, and what a deleted conversation still sends.
@Suite(.timeLimit(.minutes(5)))
struct ChatOrderTests {
    /// Brings Ana messages of a phone of Bo's, in this order, each said to be sent so much later than
    /// now.
    private static func send(
        _ numbers: [UInt64],
        after delay: Duration = .zero,
        from bo: Address,
        on two: ChatNode,
        to ana: Address,
        at one: ChatNode,
        _ harness: ChatHarness
    ) async throws {
        let phone = try await ChatStrangerTests.phone(of: bo, on: two)
        try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
        for number in numbers {
            let message = MailMessage(
                network: "test",
                sender: bo,
                device: phone.publicKey,
                recipient: ana,
                listing: nil,
                number: number,
                sentAt: harness.now.advanced(by: delay),
                body: .text("\(number)")
            )
            let envelope = try await MailSample.seal(message, by: phone, for: ana, at: one, harness)
            let refusals = try await two.exchange.deposit([envelope], at: one.links.localPeer)
            #expect(refusals.isEmpty)
            await one.chat.runOnce()
            harness.clock.advance(by: 1)
        }
    }

    @Test func `keeps each device's messages in order, however late they arrive`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await Self.send([1, 4], from: bo, on: two, to: ana, at: one, harness)
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.write("mine", in: talk.id, by: ana)
            try await Self.send([2, 3, 5], from: bo, on: two, to: ana, at: one, harness)

            let all = try await one.messages(of: ana)
            #expect(all.map(\.text) == ["1", "2", "3", "4", "mine", "5"])
            var pages: [[String]] = []
            var before: String?
            repeat {
                let page = try await one.chat.messages(
                    in: talk.id,
                    of: ana,
                    before: before,
                    limit: 2
                )
                pages.insert(page.map(\.text), at: 0)
                before = page.first?.id
            } while pages[0].count == 2
            #expect(pages.flatMap { $0 } == all.map(\.text))
        }
    }

    /// - From people: marking as read, or paging from, a message that is not in the conversation
    ///   → malformed_value
    @Test func `mail that arrives during reading stays unread`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await Self.send([1, 4], from: bo, on: two, to: ana, at: one, harness)
            let shown = try await one.messages(of: ana)
            // One of these arrives late, the other one is new.
            try await Self.send([2, 5], from: bo, on: two, to: ana, at: one, harness)
            let talk = try #require(try await one.conversations(of: ana).first)
            #expect(talk.unread == 4)
            try await one.chat.read(talk.id, through: try #require(shown.last).id, by: ana)

            #expect(try await one.conversations(of: ana).map(\.unread) == [2])
            let states = try await one.messages(of: ana).map { "\($0.text) \($0.state)" }
            #expect(states == ["1 read", "2 received", "4 read", "5 received"])
            // An earlier one changes nothing, and the one that arrived last reads all.
            try await one.chat.read(talk.id, through: try #require(shown.first).id, by: ana)
            #expect(try await one.conversations(of: ana).map(\.unread) == [2])
            try await one.readAll(talk.id, by: ana)
            #expect(try await one.conversations(of: ana).map(\.unread) == [0])
            for wrong in ["", "x", shown[0].id + "9"] {
                let refusal = await #expect(throws: Refusal.self) {
                    try await one.chat.read(talk.id, through: wrong, by: ana)
                }
                #expect(refusal?.code == .malformedValue && refusal?.field == "message")
            }
        }
    }

    @Test func `a message shows its times of sending and arrival, none in the future`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            for (number, delay) in [
                (1, .zero), (2, .seconds(540)), (3, .seconds(700)), (4, .days(90_000)),
            ] as [(UInt64, Duration)] {
                let time = harness.now
                try await Self.send(
                    [number],
                    after: delay,
                    from: bo,
                    on: two,
                    to: ana,
                    at: one,
                    harness
                )
                let message = try #require(try await one.messages(of: ana).last)
                #expect(message.text == "\(number)")
                #expect(message.arrivedAt >= time.date)
                let isBelieved = delay <= .seconds(600)
                let said = time.advanced(by: delay).date
                #expect(message.sentAt == (isBelieved ? said : message.arrivedAt), "\(number)")
            }
            let own = try await one.write("mine", to: bo, by: ana)
            #expect(own.arrivedAt == own.sentAt)
        }
    }

    @Test func `stops sending mail of a deleted conversation`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            await harness.disconnect(one, two)
            let sent = try await one.write("never mind", to: bo, by: ana)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.state) == ["queued"])
            try await one.chat.delete(sent.conversation, of: ana)
            let end = Timestamp(milliseconds: .max)
            #expect(try one.store.read { try $0.outboxTimes(until: end) }.isEmpty)

            harness.reconnect(one, two)
            await harness.runAll(times: 60)
            #expect(try await two.conversations(of: bo).isEmpty)
            // What is written afterwards is.
            try await one.write("but this", to: bo, by: ana)
            await harness.runAll(times: 60)
            #expect(try await two.messages(of: bo).map(\.text) == ["but this"])
        }
    }
}
