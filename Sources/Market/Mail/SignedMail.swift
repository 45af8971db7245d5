package import Keys

/// A message with its device's signature, the content of a sealed envelope.
package struct SignedMail: Hashable, Sendable {
    package let message: MailMessage
    package let bytes: [UInt8]
    static let wireSchema = WireSchema(.bytes, .bytes)
    private let statement: [UInt8]
    private let signature: Signature

    init(message: MailMessage, statement: [UInt8], signature: Signature) throws(MailFault) {
        try message.check()
        self.message = message
        self.statement = statement
        self.signature = signature
        var wire = WireWriter()
        wire.write(1, statement)
        wire.write(2, signature.bytes)
        bytes = wire.bytes
    }

    /// Reads the bytes in their canonical form; `verified` checks the signature.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard let wire = WireFields(bytes, Self.wireSchema),
            let signature = Signature(wire.bytes(2)),
            let statement = WireFields(wire.bytes(1), MailMessage.wireSchema)
        else { throw .malformed }
        message = try MailMessage(wire: statement)
        self.statement = [UInt8](wire.bytes(1))
        self.signature = signature
        self.bytes = bytes
    }

    /// Verifies the signature, and that the message is for this account on this network.
    ///
    /// The caller must check that the sender's account certified the device, see
    /// ``MailMessage/device``: only the caller has the device records.
    package func verified(for account: Address, network: String) throws(MailFault) -> MailMessage {
        guard message.device.verifies(signature, of: statement, as: .mail) else {
            throw .wrongSignature
        }
        // The sender's own other devices receive sent messages too.
        guard message.network.utf8.elementsEqual(network.utf8),
            message.recipient == account || message.sender == account
        else { throw .misdirected }
        return message
    }
}

extension MailMessage {
    /// The form of a statement: bodies of later versions are numbered from 32.
    static let wireSchema = WireSchema(
        .text,
        .bytes,
        .bytes,
        .bytes,
        .bytes,
        .uint64,
        .uint64,
        .bytes,
        .message(WireSchema(.text)),
        .message(WireSchema(.repeated(.message(MailMark.wireSchema)))),
        .bytes,
        .bytes,
        oneOf: 9...10
    )

    init(wire: WireFields) throws(MailFault) {
        guard let sender = Address(wire.bytes(2)), let device = PublicKey(wire: wire.bytes(3)),
            let recipient = Address(wire.bytes(4))
        else { throw .malformed }
        let (listing, grant) = (Bytes32(wire.bytes(8)), MailGrant([UInt8](wire.bytes(11))))
        guard !wire.has(8) || listing != nil, !wire.has(11) || grant != nil else {
            throw .malformed
        }
        self.init(
            network: wire.text(1),
            sender: sender,
            device: device,
            recipient: recipient,
            listing: listing,
            number: wire.number(6),
            sentAt: Timestamp(milliseconds: wire.number(7)),
            body: try Body(wire: wire),
            grant: grant,
            certificate: [UInt8](wire.bytes(12))
        )
        try check()
        guard Bytes32(wire.bytes(5)) == conversation.hash else { throw .misdirected }
    }

    func check() throws(MailFault) {
        guard number > 0, sender != recipient else { throw .malformed }
        guard certificate.count <= Self.certificateByteCountMax else { throw .tooLong }
        switch body {
        case .text(let text):
            guard !text.isEmpty else { throw .malformed }
            guard text.utf8.count <= Self.textByteCountMax else { throw .tooLong }
        case .receipt(let marks):
            guard !marks.isEmpty, marks.count <= MailMark.marksMax,
                zip(marks, marks.dropFirst()).allSatisfy({ $0.device < $1.device }),
                marks.allSatisfy({ $0.notUnderstood.isSubset(of: $0.delivered) })
            else { throw .malformed }
        case .report, .address, .exception, .work, .note, .priceOffer: break
        case .unknown(let body):
            guard body.content.count <= UnknownMailBody.byteCountMax else { throw .tooLong }
        }
    }

    /// The statement that the device signs.
    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, network)
        wire.write(2, sender.bytes)
        wire.write(3, device.compressed)
        wire.write(4, recipient.bytes)
        wire.write(5, conversation.hash.bytes)
        wire.write(6, number)
        wire.write(7, sentAt.milliseconds)
        if let listing { wire.write(8, listing.bytes) }
        var content = WireWriter()
        switch body {
        case .text(let text):
            content.write(1, text)
            wire.member(9, content.bytes)
        case .receipt(let marks):
            content.write(1, all: marks.map(\.wire))
            wire.member(10, content.bytes)
        default: break
        }
        if let grant { wire.write(11, grant.bytes) }
        wire.write(12, certificate)
        if let body = body.later { wire.member(body.field, body.content) }
        return wire.bytes
    }
}

extension MailMessage.Body {
    /// Takes the body of a statement, which has exactly one.
    init(wire: WireFields) throws(MailFault) {
        switch (wire.has(9), wire.has(10), try UnknownMailBody(in: wire)) {
        case (true, false, nil): self = .text(wire.message(9).text(1))
        case (false, true, nil):
            var marks: [MailMark] = []
            for mark in wire.message(10).messages(1) { marks.append(try MailMark(wire: mark)) }
            self = .receipt(marks)
        case (false, false, let later?): self = try Self(later)
        default: throw .malformed
        }
    }

    /// The body as a field that is read like those of later versions; `nil` for others.
    fileprivate var later: UnknownMailBody? {
        switch self {
        case .text, .receipt: nil
        case .report(let report): report.body
        case .address(let address): address.body
        case .exception(let exception): exception.body
        case .work(let work): work.body
        case .note(let note): note.body
        case .priceOffer(let offer): offer.body
        case .unknown(let body): body
        }
    }
}

extension MailMessage.Body {
    /// Takes a body that is read like those of later versions.
    private init(_ body: UnknownMailBody) throws(MailFault) {
        self =
            switch body.field {
            case MailReport.field: .report(try MailReport(content: body.content))
            case MailAddress.field: .address(try MailAddress(content: body.content))
            case MailException.field: .exception(try MailException(content: body.content))
            case MailWork.field: .work(try MailWork(content: body.content))
            case MailNote.field: .note(try MailNote(content: body.content))
            case MailPriceOffer.field: .priceOffer(try MailPriceOffer(content: body.content))
            default: .unknown(body)
            }
    }
}

extension MailMark {
    static let wireSchema = WireSchema(
        .bytes,
        .repeated(.message(NumberRanges.wireSchema)),
        .uint64,
        .repeated(.message(NumberRanges.wireSchema))
    )

    init(wire: WireFields) throws(MailFault) {
        guard let device = Bytes32(wire.bytes(1)), let delivered = NumberRanges(wire.messages(2)),
            let notUnderstood = NumberRanges(wire.messages(4))
        else { throw .malformed }
        self.init(
            device: device,
            delivered: delivered,
            notUnderstood: notUnderstood,
            readThrough: wire.number(3)
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, device.bytes)
        wire.write(2, all: delivered.wire)
        wire.write(3, readThrough)
        wire.write(4, all: notUnderstood.wire)
        return wire.bytes
    }
}

extension NumberRanges {
    /// The form of one range.
    static let wireSchema = WireSchema(.uint64, .uint64)

    init?(_ wire: [WireFields]) {
        guard wire.allSatisfy({ $0.number(1) <= $0.number(2) }) else { return nil }
        self.init(wire.map { $0.number(1)...$0.number(2) })
    }

    var wire: [[UInt8]] {
        ranges.map { range in
            var wire = WireWriter()
            wire.write(1, range.lowerBound)
            wire.write(2, range.upperBound)
            return wire.bytes
        }
    }
}
