import Client
import Foundation
import Market
import Testing

// What an account keeps of a message is seen by no caller of Mail, hence the testable import.
@testable import Mail

struct StoredMessageTests {
    private static let states: [StoredMessage.State] = [
        .queued, .sent, .delivered, .notUnderstood, .failed, .received,
    ]

    private static func message(_ state: StoredMessage.State) -> StoredMessage {
        StoredMessage(
            sender: "",
            device: "",
            number: 1,
            text: "Hello",
            sentAt: Date(timeIntervalSince1970: 0),
            state: state
        )
    }

    private static let refused = [Sentence("refusal.homeRefusedMail")]

    @Test(arguments: states)
    func `a queued message becomes sent once a home holds it, or else fails`(
        state: StoredMessage.State
    ) {
        var held = Self.message(state)
        #expect(held.handedOver(to: 2, reason: nil, isExpired: true) == true)
        #expect(held.state == (state == .queued ? .sent : state) && held.heldBy == 2)
        #expect(held.handedOver(to: 1, reason: nil, isExpired: true) == false)
        #expect(held.heldBy == 2)

        var lost = Self.message(state)
        #expect(lost.handedOver(to: 0, reason: nil, isExpired: false) == false)
        #expect(lost.handedOver(to: 0, reason: Self.refused, isExpired: false) == true)
        #expect(lost.state == state && lost.reason == Self.refused)
        #expect(lost.handedOver(to: 0, reason: nil, isExpired: true) == true)
        #expect(lost.state == (state == .queued ? .failed : state))
        #expect((lost.reason != nil) == (state == .queued))
    }

    @Test(arguments: states, [true, false])
    func `a receipt marks a queued or sent message as delivered once`(
        state: StoredMessage.State,
        isUnderstood: Bool
    ) {
        var message = Self.message(state)
        message.reason = Self.refused
        let isNew = message.delivered(isUnderstood: isUnderstood)
        #expect(isNew == (state == .queued || state == .sent))
        #expect(message.state == (isNew ? isUnderstood ? .delivered : .notUnderstood : state))
        #expect((message.reason == nil) == isNew)
        #expect(message.delivered(isUnderstood: isUnderstood) == false)
    }

    @Test(arguments: states)
    func `only a message not understood at first can be understood later`(
        state: StoredMessage.State
    ) {
        var message = Self.message(state)
        #expect(message.understood() == (state == .notUnderstood))
        #expect(message.state == (state == .notUnderstood ? .delivered : state))
    }
}
