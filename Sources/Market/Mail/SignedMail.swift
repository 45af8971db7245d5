package import Keys

/// A message with its device's signature, the content of a sealed envelope.
package struct SignedMail: Hashable, Sendable {
    package let message: MailMessage
    package let bytes: [UInt8]
    private let statement: [UInt8]
    private let signature: Signature

    init(message: MailMessage, statement: [UInt8], signature: Signature) throws(MailFault) {
        var wire = WireMailMessage()
        wire.statement = statement.data
        wire.signature = signature.bytes.data
        try message.check()
        self.message = message
        self.statement = statement
        self.signature = signature
        bytes = CanonicalMessage.bytes(of: wire)
    }

    /// Reads the bytes in their canonical form; `verified` checks the signature.
    package init(_ bytes: [UInt8]) throws(MailFault) {
        guard let wire = CanonicalMessage.read(bytes, as: WireMailMessage.self),
            let signature = Signature(wire.signature),
            let statement = CanonicalMessage.read(wire.statement, as: WireMailStatement.self)
        else { throw .malformed }
        message = try MailMessage(wire: statement)
        self.statement = [UInt8](wire.statement)
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
    init(wire: WireMailStatement) throws(MailFault) {
        guard let sender = Address(wire.sender), let recipient = Address(wire.recipient),
            wire.device.count == 33, let device = PublicKey([UInt8](wire.device)),
            let listing = wire.listing.isEmpty ? .zero : Bytes32(wire.listing)
        else { throw .malformed }
        let grant = MailGrant([UInt8](wire.grant))
        guard wire.grant.isEmpty || grant != nil else { throw .malformed }
        self.init(
            network: wire.network,
            sender: sender,
            device: device,
            recipient: recipient,
            listing: wire.listing.isEmpty ? nil : listing,
            number: wire.number,
            sentAt: Timestamp(milliseconds: wire.sentAtMs),
            body: try Body(wire: wire),
            grant: grant,
            certificate: [UInt8](wire.certificate)
        )
        try check()
        guard Bytes32(wire.conversation) == conversation.hash else { throw .misdirected }
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
        case .report, .address, .exception, .work: break
        case .unknown(let body):
            guard body.content.count <= UnknownMailBody.byteCountMax else { throw .tooLong }
        }
    }

    var wire: WireMailStatement {
        var wire = WireMailStatement()
        wire.network = network
        wire.sender = sender.data
        wire.device = device.compressed.data
        wire.recipient = recipient.data
        wire.conversation = conversation.hash.data
        wire.number = number
        wire.sentAtMs = sentAt.milliseconds
        if let listing { wire.listing = listing.data }
        if let grant { wire.grant = grant.bytes.data }
        if !certificate.isEmpty { wire.certificate = certificate.data }
        switch body {
        case .text(let text): wire.text.text = text
        case .receipt(let marks): wire.receipt.marks = marks.map(\.wire)
        case .report(let report): report.body.write(to: &wire)
        case .address(let address): address.body.write(to: &wire)
        case .exception(let exception): exception.body.write(to: &wire)
        case .work(let work): work.body.write(to: &wire)
        case .unknown(let body): body.write(to: &wire)
        }
        return wire
    }
}

extension MailMessage.Body {
    /// Takes the body of a statement, which has exactly one.
    init(wire: WireMailStatement) throws(MailFault) {
        let unknown = try UnknownMailBody(in: wire)
        switch (wire.body, unknown) {
        case (.text(let text), nil): self = .text(text.text)
        case (.receipt(let receipt), nil):
            var marks: [MailMark] = []
            for mark in receipt.marks { marks.append(try MailMark(wire: mark)) }
            self = .receipt(marks)
        case (nil, let unknown?): self = try Self(unknown)
        default: throw .malformed
        }
    }
}

extension MailMessage.Body {
    /// Takes a body that is read as those of later versions are.
    private init(_ body: UnknownMailBody) throws(MailFault) {
        self =
            switch body.field {
            case MailReport.field: .report(try MailReport(content: body.content))
            case MailAddress.field: .address(try MailAddress(content: body.content))
            case MailException.field: .exception(try MailException(content: body.content))
            case MailWork.field: .work(try MailWork(content: body.content))
            default: .unknown(body)
            }
    }
}

extension MailMark {
    init(wire: WireMailMark) throws(MailFault) {
        guard let device = Bytes32(wire.device), let delivered = NumberRanges(wire.delivered),
            let notUnderstood = NumberRanges(wire.notUnderstood)
        else { throw .malformed }
        self.init(
            device: device,
            delivered: delivered,
            notUnderstood: notUnderstood,
            readThrough: wire.readThrough
        )
    }

    var wire: WireMailMark {
        var wire = WireMailMark()
        wire.device = device.data
        wire.delivered = delivered.wire
        wire.notUnderstood = notUnderstood.wire
        wire.readThrough = readThrough
        return wire
    }
}

extension NumberRanges {
    init?(_ wire: [WireMailRange]) {
        guard wire.allSatisfy({ $0.first <= $0.last }) else { return nil }
        self.init(wire.map { $0.first...$0.last })
    }

    var wire: [WireMailRange] {
        ranges.map { range in
            var wire = WireMailRange()
            (wire.first, wire.last) = (range.lowerBound, range.upperBound)
            return wire
        }
    }
}
