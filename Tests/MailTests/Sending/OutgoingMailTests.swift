import Client
import GossipProtocol
import Keys
import Market
import Support
import Testing

// How mail is divided among homes is seen by no caller of Mail, hence the testable import.
@testable import Mail

struct OutgoingMailTests {
    private let ana = ChatSamples.ana

    /// A message of Bo's to Ana, with copies for two of her devices and one of his own.
    private static func mail(isReceipt: Bool = false) throws -> OutgoingMail {
        var mail = OutgoingMail(
            conversation: .zero,
            recipient: ChatSamples.ana,
            number: 1,
            place: isReceipt ? nil : 1,
            mail: []
        )
        let accounts = [ChatSamples.ana, ChatSamples.ana, ChatSamples.bo]
        mail.copies = accounts.enumerated().map { index, account in
            let header = MailEnvelope.Header(
                recipient: account,
                device: Bytes32(repeating: UInt8(index)),
                prekey: 1,
                expiresAt: ChatSamples.time(9)
            )
            let envelope = MailEnvelope(
                header: header,
                sealed: [UInt8](repeating: 1, count: 1_024 + Sealing.overheadBytes)
            )
            return OutgoingMail.Copy(account: account, envelope: envelope.bytes)
        }
        return mail
    }

    @Test func `reads back stored mail, and refuses truncated bytes`() throws {
        var mail = try Self.mail()
        mail.copies[0].held = [ChatSamples.home(4), ChatSamples.home(3)]
        mail.copies[1].grant = [1, 2]
        (mail.heldNoted, mail.reason) = (1, [Sentence("refusal.triesAgain")])
        for mail in [mail, try Self.mail(isReceipt: true)] {
            let bytes = mail.storedBytes
            #expect(try OutgoingMail(storedBytes: bytes) == mail)
            for count in stride(from: 0, to: bytes.count, by: 7) {
                #expect(throws: StoredValueError.self) {
                    try OutgoingMail(storedBytes: Array(bytes.prefix(count)))
                }
            }
        }
    }

    private func leases(_ account: Address) -> [HomeLease] {
        let numbers: [UInt8] = account == ana ? [3, 4] : [5]
        return numbers.compactMap { try? ChatSamples.lease(at: $0, of: account) }
    }

    @Test func `each home gets the envelopes that it does not yet hold`() throws {
        var mail = try Self.mail()
        let first = mail.deposits(at: leases)
        #expect(Set(first.map(\.lease.peer)) == Set([3, 4, 5].map(ChatSamples.home)))
        for deposit in first {
            #expect(deposit.isOwn == (deposit.lease.peer == ChatSamples.home(5)))
            #expect(deposit.envelopes.map(\.copy) == (deposit.isOwn ? [2] : [0, 1]))
        }

        let full = try #require(first.first { $0.lease.peer == ChatSamples.home(3) })
        let (held, refused) = (full.envelopes[0].envelope, full.envelopes[1].envelope)
        mail.record(
            [held.hash: .held, refused.hash: .refused(.recipientOverQuota)],
            to: full
        )
        #expect(mail.reason?.map(\.code).contains("refusal.homeRecipientFull") == true)
        #expect(mail.heldBy == 1)
        let left = mail.deposits(at: leases).first { $0.lease.peer == full.lease.peer }
        #expect(left?.envelopes.map(\.envelope) == [refused])
        // A home that does not answer is offered the same again.
        mail.record([:], to: full)
        #expect(mail.deposits(at: leases).count == 3)
    }

    @Test(arguments: [true, false])
    func `a text is complete at all homes, a receipt at one home`(
        isReceipt: Bool
    ) throws {
        var mail = try Self.mail(isReceipt: isReceipt)
        func isComplete() throws -> Bool { try mail.isComplete { leases($0).map(\.peer) } }
        let deposits = mail.deposits(at: leases).sorted { !$0.isOwn && $1.isOwn }
        for (index, deposit) in deposits.enumerated() {
            #expect(try isComplete() == (isReceipt && index > 0))
            let answers = deposit.envelopes.map {
                ($0.envelope.hash, DepositAnswers.Answer.held)
            }
            mail.record(Dictionary(uniqueKeysWithValues: answers), to: deposit)
        }
        #expect(try isComplete())
        #expect(mail.deposits(at: leases).isEmpty)
        // Homes that an account does not have hold nothing.
        #expect(try mail.isComplete { _ in [] } == isReceipt)
        mail.copies = []
        #expect(try !isComplete())
    }
}
