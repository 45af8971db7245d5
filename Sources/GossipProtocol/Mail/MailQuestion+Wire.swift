import Keys
package import Market

/// Why bytes are not a question or answer of `/stoa/mail/1`; the stream is reset.
package enum MailFrameFault: Error, Equatable, Sendable {
    /// Not canonical, or a field has an impossible value.
    case malformed
    /// More or longer parts than ``MailLimits`` allows.
    case tooMuch
    /// An enclosed object is malformed.
    case content(MailFault)
}

extension MailQuestion {
    /// Reads a question in its canonical form.
    package init(_ bytes: [UInt8], limits: MailLimits) throws(MailFrameFault) {
        guard let frame = WireFields(bytes, Self.wireSchema), !frame.hasUnknown,
            let number = frame.only, let field = Field(rawValue: UInt64(number))
        else { throw .malformed }
        let (content, part) = (frame.bytes(number), frame.message(number))
        switch field {
        case .lease: self = .lease(try LeaseRequest(part))
        case .keys:
            guard let account = Address(content) else { throw .malformed }
            self = .keys(of: account)
        case .publish:
            let (bundle, records) = (part.bytes(1), part.allBytes(2))
            guard records.count <= limits.recordsMax,
                records.allSatisfy({ $0.count <= limits.recordBytesMax }),
                bundle.count <= limits.bundleBytesMax
            else { throw .tooMuch }
            self = .publish(
                try carried { () throws(MailFault) in try PrekeyBundle([UInt8](bundle)) },
                records: records.map { [UInt8]($0) }
            )
        case .deposit: self = .deposit(try MailDeposit(part))
        case .grants:
            guard part.allBytes(2).count <= limits.endedGrantsMax else { throw .tooMuch }
            let ended = part.allBytes(2).compactMap { Bytes32($0) }
            guard let secret = Bytes32(part.bytes(1)), ended.count == part.allBytes(2).count,
                zip(ended, ended.dropFirst()).allSatisfy(<)
            else { throw .malformed }
            self = .grants(secret, ended: ended)
        case .opening:
            guard let account = Address(part.bytes(1)), let device = Bytes32(part.bytes(2)) else {
                throw .malformed
            }
            self = .open(account, device: device)
        case .proof:
            guard let signature = Signature(content), signature.isLowS else { throw .malformed }
            self = .prove(signature)
        case .collectAfter: self = .collect(after: frame.number(number))
        case .acknowledge:
            let numbers = part.numbers(1)
            guard numbers.count <= limits.collectedMax else { throw .tooMuch }
            guard !numbers.isEmpty, zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
                throw .malformed
            }
            self = .acknowledge(numbers)
        case .vault: self = .vault(after: try [VaultLogMark](part, limits))
        case .segment: self = .keep(try VaultSegment(frame: content))
        }
    }

    package var bytes: [UInt8] {
        var frame = WireWriter()
        func member(_ field: Field, _ content: some Collection<UInt8>) {
            frame.member(field.rawValue, content)
        }
        var part = WireWriter()
        switch self {
        case .lease(let request):
            part.write(1, request.account.bytes)
            part.write(2, request.askedAt.milliseconds)
            part.write(3, request.signature.bytes)
            part.write(4, request.work?.nonce ?? 0)
            member(.lease, part.bytes)
        case .keys(let account): member(.keys, account.bytes)
        case .publish(let bundle, let records):
            part.write(1, bundle.bytes)
            part.write(2, all: records)
            member(.publish, part.bytes)
        case .deposit(let deposit):
            part.write(1, deposit.envelope.bytes)
            if let grant = deposit.grant {
                part.write(2, grant.id.bytes)
                part.write(3, grant.proof.bytes)
            }
            part.write(4, deposit.work?.nonce ?? 0)
            member(.deposit, part.bytes)
        case .grants(let secret, let ended):
            part.write(1, secret.bytes)
            part.write(2, all: ended.map(\.bytes))
            member(.grants, part.bytes)
        case .open(let account, let device):
            part.write(1, account.bytes)
            part.write(2, device.bytes)
            member(.opening, part.bytes)
        case .prove(let signature): member(.proof, signature.bytes)
        case .collect(let number): frame.member(Field.collectAfter.rawValue, number)
        case .acknowledge(let numbers):
            part.write(1, packed: numbers)
            member(.acknowledge, part.bytes)
        case .vault(let marks): member(.vault, marks.frame)
        case .keep(let segment): member(.segment, segment.bytes)
        }
        return frame.bytes
    }

    /// The members of the `oneof`.
    private enum Field: UInt64 {
        case lease = 1
        case keys, publish, deposit, opening, proof, collectAfter, acknowledge, grants, vault
        case segment
    }

    private static let wireSchema = WireSchema(
        .message(WireSchema(.bytes, .uint64, .bytes, .uint64)),
        .bytes,
        .message(WireSchema(.bytes, .repeated(.bytes))),
        .message(WireSchema(.bytes, .bytes, .bytes, .uint64)),
        .message(WireSchema(.bytes, .bytes)),
        .bytes,
        .uint64,
        .message(WireSchema(.packed)),
        .message(WireSchema(.bytes, .repeated(.bytes))),
        .message([VaultLogMark].wireSchema),
        .bytes,
        oneOf: 1...11
    )
}

extension LeaseRequest {
    fileprivate init(_ frame: WireFields) throws(MailFrameFault) {
        guard let account = Address(frame.bytes(1)), let signature = Signature(frame.bytes(3)),
            signature.isLowS
        else { throw .malformed }
        self.init(
            account: account,
            askedAt: Timestamp(milliseconds: frame.number(2)),
            signature: signature,
            work: MailStamp(nonce: frame.number(4))
        )
    }
}

extension MailDeposit {
    fileprivate init(_ frame: WireFields) throws(MailFrameFault) {
        self.init(
            try carried { () throws(MailFault) in try MailEnvelope([UInt8](frame.bytes(1))) },
            work: MailStamp(nonce: frame.number(4))
        )
        if !frame.has(2), !frame.has(3) { return }
        guard let id = Bytes32(frame.bytes(2)), let proof = Bytes32(frame.bytes(3)) else {
            throw .malformed
        }
        grant = GrantProof(id: id, proof: proof)
    }
}

extension MailAnswer {
    /// Reads an answer in its canonical form.
    package init(_ bytes: [UInt8], limits: MailLimits) throws(MailFrameFault) {
        guard let frame = WireFields(bytes, Self.wireSchema), !frame.hasUnknownItself,
            let number = frame.only, let field = Field(rawValue: UInt64(number))
        else { throw .malformed }
        let (content, part) = (frame.bytes(number), frame.message(number))
        switch field {
        case .refusal:
            guard frame.number(number) > 0 else { throw .malformed }
            // An unknown number, from a later version, is still a refusal.
            self = .refused(MailRefusal(rawValue: frame.uint32(number)) ?? .unable)
        case .lease:
            guard let lease = HomeLease(bytes: [UInt8](content)) else { throw .malformed }
            self = .lease(lease)
        case .keys:
            let (bundles, records) = (part.allBytes(1), part.allBytes(2))
            guard bundles.count <= limits.recordsMax, records.count <= limits.recordsMax else {
                throw .tooMuch
            }
            self = .keys(bundles: bundles.map { [UInt8]($0) }, records: records.map { [UInt8]($0) })
        case .done:
            guard frame.flag(number) else { throw .malformed }
            self = .done
        case .held:
            guard let signature = Signature(content) else { throw .malformed }
            self = .held(signature)
        case .challenge:
            guard let challenge = Bytes32(content) else { throw .malformed }
            self = .challenge(challenge)
        case .collected: self = .collected(try Self.waiting(part, limits))
        case .workWanted:
            guard frame.number(number) > 0 else { throw .malformed }
            self = .workWanted(frame.number(number))
        case .vault:
            guard part.allBytes(2).count <= limits.collectedMax else { throw .tooMuch }
            guard part.has(1), !part.hasUnknown else { throw .malformed }
            var segments: [VaultSegment] = []
            for bytes in part.allBytes(2) { segments.append(try VaultSegment(frame: bytes)) }
            self = .vault(try [VaultLogMark](part.message(1), limits), segments)
        }
    }

    package var bytes: [UInt8] {
        var frame = WireWriter()
        func member(_ field: Field, _ content: some Collection<UInt8>) {
            frame.member(field.rawValue, content)
        }
        func member(_ field: Field, number: UInt64) { frame.member(field.rawValue, number) }
        var part = WireWriter()
        switch self {
        case .refused(let refusal): member(.refusal, number: UInt64(refusal.rawValue))
        case .lease(let lease): member(.lease, lease.bytes)
        case .keys(let bundles, let records):
            part.write(1, all: bundles)
            part.write(2, all: records)
            member(.keys, part.bytes)
        case .done: member(.done, number: 1)
        case .held(let signature): member(.held, signature.bytes)
        case .challenge(let challenge): member(.challenge, challenge.bytes)
        case .collected(let waiting):
            part.write(
                1,
                all: waiting.map { entry in
                    var frame = WireWriter()
                    frame.write(1, entry.number)
                    frame.write(2, entry.envelope.bytes)
                    frame.write(3, entry.origin?.bytes ?? [])
                    return frame.bytes
                }
            )
            member(.collected, part.bytes)
        case .workWanted(let work): member(.workWanted, number: work)
        case .vault(let marks, let segments):
            part.member(1, marks.frame)
            part.write(2, all: segments.map(\.bytes))
            member(.vault, part.bytes)
        }
        return frame.bytes
    }

    /// The members of the `oneof`.
    private enum Field: UInt64 {
        case refusal = 1
        case lease, keys, done, held, challenge, collected, workWanted, vault
    }

    private static let wireSchema = WireSchema(
        .uint32,
        .bytes,
        .message(WireSchema(.repeated(.bytes), .repeated(.bytes))),
        .bool,
        .bytes,
        .bytes,
        .message(WireSchema(.repeated(.message(WireSchema(.uint64, .bytes, .bytes))))),
        .uint64,
        .message(WireSchema(.message([VaultLogMark].wireSchema), .repeated(.bytes))),
        oneOf: 1...9
    )

    private static func waiting(
        _ frame: WireFields,
        _ limits: MailLimits
    ) throws(MailFrameFault) -> [WaitingEnvelope] {
        let entries = frame.messages(1)
        guard entries.count <= limits.collectedMax else { throw .tooMuch }
        let numbers = entries.map { $0.number(1) }
        guard numbers.first != 0, zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
            throw .malformed
        }
        var waiting: [WaitingEnvelope] = []
        for entry in entries {
            let envelope = try carried { () throws(MailFault) in
                try MailEnvelope([UInt8](entry.bytes(2)))
            }
            let origin = Bytes32(entry.bytes(3))
            guard !entry.has(3) || origin != nil else { throw .malformed }
            waiting.append(
                WaitingEnvelope(number: entry.number(1), envelope: envelope, origin: origin)
            )
        }
        return waiting
    }
}

private func carried<Content>(
    _ read: () throws(MailFault) -> Content
) throws(MailFrameFault) -> Content {
    do { return try read() } catch { throw .content(error) }
}
