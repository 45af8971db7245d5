import Keys
import Market
import Support
import Testing

struct MailTests {
    private let phone = Samples.key("phone")
    private let prekey = Prekey.random()

    @Test(
        arguments: [
            .text("Is it still there?"),
            .receipt([
                MailMark(device: Samples.slot, delivered: .of([1, 2, 300]), readThrough: 2)
            ]),
        ] as [MailMessage.Body]
    )
    func `a message survives sealing unchanged`(body: MailMessage.Body) throws {
        let sent = message(body)
        let envelope = try sealed(sent)
        let received = try MailEnvelope(envelope.bytes)
        let opened = try received.opened(with: prekey)

        #expect(received == envelope)
        #expect(try opened.verified(for: Samples.bo.address, network: "test") == sent)
        #expect(envelope.sealed.count == 1_024 + Sealing.overheadBytes)
    }

    @Test func `a message does not open with another key or header`() throws {
        let envelope = try sealed(message(.text("hello")))
        let other = MailEnvelope(
            header: MailEnvelope.Header(
                recipient: Samples.bo.address,
                device: Samples.slot,
                prekey: 8,
                expiresAt: Samples.now
            ),
            sealed: envelope.sealed
        )
        #expect(throws: MailFault.notOpened) { try envelope.opened(with: Prekey.random()) }
        #expect(throws: MailFault.notOpened) { try other.opened(with: prekey) }
    }

    /// - From peers: a message that spells its network with combining marks, which are slow to
    ///   compare as text → compared by its bytes: another network
    @Test func `refuses a message for others or without its device's signature`() throws {
        let signed = try message(.text("hello")).signed(by: phone)
        #expect(throws: MailFault.misdirected) {
            try signed.verified(for: SaleScript.stranger, network: "test")
        }
        #expect(throws: MailFault.misdirected) {
            try signed.verified(for: Samples.bo.address, network: "other")
        }
        #expect(throws: MailFault.wrongSignature) {
            try message(.text("hello")).signed(by: Samples.key("thief"))
        }
        // Two spellings of one text are two networks; nothing is brought into one form first.
        let spelt = try message(.text("hello"), network: "e\u{301}").signed(by: phone)
        #expect(throws: MailFault.misdirected) {
            try spelt.verified(for: Samples.bo.address, network: "\u{E9}")
        }
        var bytes = signed.bytes
        bytes[bytes.count - 30] ^= 1
        let spoilt = try SignedMail(bytes)
        #expect(throws: MailFault.wrongSignature) {
            try spoilt.verified(for: Samples.bo.address, network: "test")
        }
    }

    @Test func `a certificate takes at most 1,000 bytes of a message`() throws {
        let bytes = [UInt8](repeating: 1, count: MailMessage.certificateByteCountMax)
        let most = message(.text("hello"), certificate: bytes)
        #expect(try SignedMail(most.signed(by: phone).bytes).message == most)
        let longer = message(.text("hello"), certificate: bytes + [1])
        #expect(throws: MailFault.tooLong) { try longer.signed(by: phone) }
    }

    /// - From peers: a receipt with two marks of one device → dropped as malformed
    @Test func `refuses a receipt with unsorted marks or two for one device`() throws {
        func mark(_ device: UInt8) -> MailMark {
            MailMark(device: Bytes32(repeating: device), delivered: .of([1]), readThrough: 0)
        }
        for devices in [[1, 1], [2, 1]] as [[UInt8]] {
            #expect(throws: MailFault.malformed) {
                try message(.receipt(devices.map(mark))).signed(by: phone)
            }
        }
        _ = try message(.receipt([mark(1), mark(2)])).signed(by: phone)
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `padding hides the length and can be removed exactly`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let count = Int.random(in: 0..<65_536, using: &random)
            let padded = try #require(MailPadding.pad(random.bytes(count: min(count, 3_000))))
            #expect(MailPadding.buckets.contains(padded.count))
            #expect(MailPadding.unpad(padded)?.count == min(count, 3_000))
        }
        #expect(MailPadding.pad([UInt8](repeating: 1, count: 65_536)) == nil)
        #expect(MailPadding.unpad([UInt8](repeating: 0, count: 1_024)) == nil)
        #expect(MailPadding.unpad([1, 0x80, 0]) == nil)
        let tooMuch = [UInt8](repeating: 1, count: 5) + [0x80]
        #expect(MailPadding.unpad(tooMuch + [UInt8](repeating: 0, count: 2_042)) == nil)
    }

    @Test func `a device's bundle yields the key that lasts longest`() throws {
        func key(_ id: UInt32, _ days: Int64, isLastResort: Bool = false) -> PrekeyBundle.Key {
            PrekeyBundle.Key(
                id: id,
                key: prekey.publicKey,
                validUntil: Samples.now.advanced(by: .days(days)),
                isLastResort: isLastResort
            )
        }
        let bundle = try PrekeyBundle(
            network: "test",
            account: Samples.bo.address,
            createdAt: Samples.now,
            keys: [key(1, 3), key(2, 7), key(3, 90, isLastResort: true)],
            signedBy: phone
        )
        #expect(try PrekeyBundle(bundle.bytes) == bundle)
        #expect(bundle.key(at: Samples.now)?.id == 2)
        #expect(bundle.key(at: Samples.now.advanced(by: .days(8)))?.id == 3)
        #expect(bundle.key(at: Samples.now.advanced(by: .days(91))) == nil)

        var bytes = bundle.bytes
        bytes[60] ^= 1
        #expect(throws: MailFault.self) { try PrekeyBundle(bytes) }
    }

    /// - From peers: a prekey bundle with unknown fields → refused
    @Test func `refuses a bundle with unknown fields`() throws {
        let bundle = try PrekeyBundle(
            network: "test",
            account: Samples.bo.address,
            createdAt: Samples.now,
            keys: [
                PrekeyBundle.Key(
                    id: 1,
                    key: prekey.publicKey,
                    validUntil: Samples.now,
                    isLastResort: false
                )
            ],
            signedBy: phone
        )
        // Field 9, of one byte, after the others: canonical, and not signed.
        #expect(throws: MailFault.malformed) { try PrekeyBundle(bundle.bytes + [0x4A, 1, 7]) }
    }

    @Test func `both sides compute the same conversation id, one for each listing`() {
        let (ana, bo) = (Samples.ana.address, Samples.bo.address)
        let there = ConversationID(ana, bo, listing: Samples.slot)
        #expect(there == ConversationID(bo, ana, listing: Samples.slot))
        #expect(there != ConversationID(ana, bo, listing: nil))
    }

    private func message(
        _ body: MailMessage.Body,
        network: String = "test",
        certificate: [UInt8] = []
    ) -> MailMessage {
        MailMessage(
            network: network,
            sender: Samples.ana.address,
            device: phone.publicKey,
            recipient: Samples.bo.address,
            listing: Samples.slot,
            number: 1,
            sentAt: Samples.now,
            body: body,
            certificate: certificate
        )
    }

    private func sealed(_ message: MailMessage) throws -> MailEnvelope {
        try MailEnvelope.seal(
            message.signed(by: phone),
            under: MailEnvelope.Header(
                recipient: message.recipient,
                device: Samples.slot,
                prekey: 7,
                expiresAt: Samples.now
            ),
            to: prekey.publicKey
        )
    }
}
