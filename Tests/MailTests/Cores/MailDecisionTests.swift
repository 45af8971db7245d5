import Answers
import Foundation
import Keys
import Market
import Storage
import Support
import Testing

@testable import Mail

struct MailDecisionTests {
    private struct NoLookup: Error {}

    private let text = MailMessage.Body.text("Hello")
    private let receipt = MailMessage.Body.receipt([
        MailMark(device: Bytes32(repeating: 1), delivered: NumberRanges(), readThrough: 1)
    ])

    /// Decides for Ana on a message of Bo, or of her own other node.
    private func decision(
        on body: MailMessage.Body,
        isMine: Bool = false,
        isFiled: Bool = false,
        isFull: Bool? = nil,
        conversation: StoredConversation? = nil,
        _ change: (inout StoredContact) -> Void
    ) throws -> MailDecision {
        var contact = StoredContact(with: ChatSamples.bo)
        change(&contact)
        let message =
            isMine
            ? ChatSamples.message(body, from: ChatSamples.ana, to: ChatSamples.bo)
            : ChatSamples.message(body)
        func full() throws -> Bool {
            guard let isFull else { throw NoLookup() }
            return isFull
        }
        return try MailDecision(
            ProvedMail(
                try message.signed(by: testKey(9)),
                from: .stranger(origin: .zero),
                to: ChatSamples.ana
            ),
            contact: contact,
            conversation: conversation,
            isFiled: isFiled,
            isFull: try full()
        )
    }

    private func conversation() -> StoredConversation {
        StoredConversation(with: ChatSamples.bo, slot: nil, at: ChatSamples.time(0).date)
    }

    @Test func `shows only the owner's own messages to a blocked account`() throws {
        for body in [text, receipt] {
            let blocked = try decision(on: body) {
                ($0.isAccepted, $0.blockedAt) = (true, ChatSamples.time(0).date)
            }
            #expect(blocked == .drop(.blocked))
        }
        let own = try decision(on: text, isMine: true, isFull: false) {
            $0.blockedAt = ChatSamples.time(0).date
        }
        #expect(own == .show)
    }

    @Test func `treats a message of an unknown kind like a text`() throws {
        let unknown = MailMessage.Body.unknown(UnknownMailBody(field: 40, content: [7]))
        #expect(try decision(on: unknown) { _ in } == .request)
        #expect(try decision(on: unknown, isFiled: true) { _ in } == .ignore)
        for (isFull, expected) in [(true, .waitForRoom), (false, .show)] as [(Bool, MailDecision)] {
            let known = try decision(on: unknown, isFull: isFull) { $0.isAccepted = true }
            #expect(known == expected)
        }
        let blocked = try decision(on: unknown) { $0.blockedAt = ChatSamples.time(0).date }
        #expect(blocked == .drop(.blocked))
    }

    @Test func `files only texts of an unaccepted account, and as requests`() throws {
        // In the request box there is always room, so none is looked for.
        #expect(try decision(on: text) { _ in } == .request)
        #expect(try decision(on: receipt) { _ in } == .drop(.overLimits))
        #expect(try decision(on: text, isFiled: true) { _ in } == .ignore)
    }

    @Test func `a known sender's text waits only if it would open a conversation`() throws {
        func accepted(
            _ conversation: StoredConversation?,
            isFull: Bool? = nil,
            isMine: Bool = false
        ) throws -> MailDecision {
            try decision(on: text, isMine: isMine, isFull: isFull, conversation: conversation) {
                $0.isAccepted = true
            }
        }
        #expect(try accepted(nil, isFull: true) == .waitForRoom)
        #expect(try accepted(nil, isFull: false) == .show)
        #expect(try accepted(nil, isFull: true, isMine: true) == .waitForRoom)
        #expect(try accepted(conversation()) == .show)
        var deleted = conversation()
        deleted.delete([:], at: ChatSamples.time(0).date)
        #expect(try accepted(deleted, isFull: true) == .waitForRoom)
        #expect(try accepted(deleted, isFull: false) == .show)
    }

    @Test func `ignores a copy of a text that is stored or was deleted`() throws {
        var deleted = conversation()
        let device = DeviceCertificate.slot(of: testKey(9).publicKey)
        deleted.delete([device: [1]], at: ChatSamples.time(0).date)
        for isAccepted in [true, false] {
            let copy = try decision(on: text, conversation: deleted) { $0.isAccepted = isAccepted }
            #expect(copy == .ignore)
            let again = try decision(on: text, isFiled: true) { $0.isAccepted = isAccepted }
            #expect(again == .ignore)
        }
    }

    @Test func `a receipt from the account's other node has no marks for this device`() throws {
        guard case .receipt(let marks) = receipt else { return }
        #expect(try decision(on: receipt) { $0.isAccepted = true } == .receipt(marks))
        #expect(try decision(on: receipt, isMine: true) { _ in } == .receipt([]))
    }
}
