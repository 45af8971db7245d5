import Foundation
import Keys
import Market
import Support
import Testing

// What an account knows about another is seen by no caller of Mail, hence the testable import.
@testable import Mail

struct StoredContactTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func `counts texts before acceptance; a refused one changes no count`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var first = StoredContact.FirstContact()
        var (texts, bytes, conversations) = (0, 0, Set<String>())
        let sizeMax = [100, 4_000, 16_384].randomElement(using: &random) ?? 0
        for _ in 0..<64 {
            let conversation = "\(Int.random(in: 0..<12, using: &random))"
            let size = Int.random(in: 1...sizeMax, using: &random)
            let fits =
                texts < 16 && bytes + size <= 65_536
                && (conversations.contains(conversation) || conversations.count < 8)
            let before = first
            let isAdmitted = first.admit(conversation, bytes: size)
            #expect(isAdmitted == fits, "seed \(seed)")
            if isAdmitted {
                texts += 1
                bytes += size
                conversations.insert(conversation)
            } else {
                #expect(first.messages == before.messages && first.bytes == before.bytes)
                #expect(first.conversations == before.conversations)
            }
            #expect(first.messages == texts && first.bytes == bytes, "seed \(seed)")
            #expect(first.conversations == conversations, "seed \(seed)")
        }
        #expect(texts > 0)
    }

    @Test func `a message proves its sender's acceptance and replaces the grant`() {
        var contact = StoredContact(with: ChatSamples.bo)
        #expect(contact.isBlank && !contact.hasAccepted)
        contact.learn(from: ChatSamples.message(.text("Hello")))
        #expect(contact.hasAccepted && contact.grant == nil)
        for byte in [1, 2] as [UInt8] {
            let grant = MailGrant(id: .zero, under: Bytes32(repeating: byte))
            contact.learn(from: ChatSamples.message(.text("Hello"), grant: grant))
            #expect(contact.grant == Data(grant.bytes))
        }
        // A message without one takes no grant away.
        contact.learn(from: ChatSamples.message(.text("Hello")))
        #expect(contact.grant != nil)
    }
}
