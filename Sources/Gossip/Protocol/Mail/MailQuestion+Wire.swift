import Foundation
import Keys
package import Market
import SwiftProtobuf

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
        guard let frame = CanonicalMessage.read(bytes, as: MailQuestionFrame.self),
            frame.unknownFields.data.isEmpty, let question = frame.question
        else { throw .malformed }
        switch question {
        case .lease(let lease): self = .lease(try LeaseRequest(lease))
        case .keys(let account):
            guard let account = Address(account) else { throw .malformed }
            self = .keys(of: account)
        case .publish(let frame):
            guard frame.records.count <= limits.recordsMax,
                frame.records.allSatisfy({ $0.count <= limits.recordBytesMax }),
                frame.bundle.count <= limits.bundleBytesMax
            else { throw .tooMuch }
            let bundle = try carried { () throws(MailFault) in
                try PrekeyBundle([UInt8](frame.bundle))
            }
            self = .publish(bundle, records: frame.records.map { [UInt8]($0) })
        case .deposit(let frame): self = .deposit(try MailDeposit(frame))
        case .grants(let frame):
            guard frame.ended.count <= limits.endedGrantsMax else { throw .tooMuch }
            let ended = frame.ended.compactMap { Bytes32($0) }
            guard let secret = Bytes32(frame.secret), ended.count == frame.ended.count,
                zip(ended, ended.dropFirst()).allSatisfy(<)
            else { throw .malformed }
            self = .grants(secret, ended: ended)
        case .opening(let frame):
            guard let account = Address(frame.account), let device = Bytes32(frame.device) else {
                throw .malformed
            }
            self = .open(account, device: device)
        case .proof(let signature):
            guard let signature = Signature(signature), signature.isLowS else {
                throw .malformed
            }
            self = .prove(signature)
        case .collectAfter(let number): self = .collect(after: number)
        case .acknowledge(let frame):
            let numbers = frame.numbers
            guard numbers.count <= limits.collectedMax else { throw .tooMuch }
            guard !numbers.isEmpty, zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
                throw .malformed
            }
            self = .acknowledge(numbers)
        case .vault(let frame): self = .vault(after: try [VaultLogMark](frame, limits))
        case .segment(let bytes): self = .keep(try VaultSegment(frame: bytes))
        }
        // A part has no other fields than these.
        guard self.bytes == bytes else { throw .malformed }
    }

    package var bytes: [UInt8] {
        var frame = MailQuestionFrame()
        switch self {
        case .lease(let request):
            frame.lease.account = Data(request.account.bytes)
            frame.lease.askedAtMs = request.askedAt.milliseconds
            frame.lease.signature = Data(request.signature.bytes)
            frame.lease.work = request.work?.nonce ?? 0
        case .keys(let account): frame.keys = Data(account.bytes)
        case .publish(let bundle, let records):
            frame.publish.bundle = Data(bundle.bytes)
            frame.publish.records = records.map { Data($0) }
        case .deposit(let deposit):
            frame.deposit.envelope = Data(deposit.envelope.bytes)
            frame.deposit.work = deposit.work?.nonce ?? 0
            if let grant = deposit.grant {
                frame.deposit.grant = Data(grant.id.bytes)
                frame.deposit.proof = Data(grant.proof.bytes)
            }
        case .grants(let secret, let ended):
            frame.grants.secret = Data(secret.bytes)
            frame.grants.ended = ended.map { Data($0.bytes) }
        case .open(let account, let device):
            frame.opening.account = Data(account.bytes)
            frame.opening.device = Data(device.bytes)
        case .prove(let signature): frame.proof = Data(signature.bytes)
        case .collect(let number): frame.collectAfter = number
        case .acknowledge(let numbers): frame.acknowledge.numbers = numbers
        case .vault(let marks): frame.vault = marks.frame
        case .keep(let segment): frame.segment = Data(segment.bytes)
        }
        return CanonicalMessage.bytes(of: frame)
    }
}

extension LeaseRequest {
    fileprivate init(_ frame: MailLeaseFrame) throws(MailFrameFault) {
        guard let account = Address(frame.account), let signature = Signature(frame.signature),
            signature.isLowS
        else { throw .malformed }
        self.init(
            account: account,
            askedAt: Timestamp(milliseconds: frame.askedAtMs),
            signature: signature,
            work: MailStamp(nonce: frame.work)
        )
    }
}

extension MailDeposit {
    fileprivate init(_ frame: MailDepositFrame) throws(MailFrameFault) {
        self.init(
            try carried { () throws(MailFault) in try MailEnvelope([UInt8](frame.envelope)) },
            work: MailStamp(nonce: frame.work)
        )
        if frame.grant.isEmpty, frame.proof.isEmpty { return }
        guard let id = Bytes32(frame.grant), let proof = Bytes32(frame.proof) else {
            throw .malformed
        }
        grant = GrantProof(id: id, proof: proof)
    }
}

extension MailAnswer {
    /// Reads an answer in its canonical form.
    package init(_ bytes: [UInt8], limits: MailLimits) throws(MailFrameFault) {
        guard let frame = CanonicalMessage.read(bytes, as: MailAnswerFrame.self),
            frame.unknownFields.data.isEmpty, let answer = frame.answer
        else { throw .malformed }
        switch answer {
        case .refusal(let number):
            guard number > 0 else { throw .malformed }
            // An unknown number, from a later version, is still a refusal.
            self = .refused(MailRefusal(rawValue: number) ?? .unable)
        case .lease(let lease):
            guard let lease = HomeLease(bytes: [UInt8](lease)) else { throw .malformed }
            self = .lease(lease)
        case .keys(let frame):
            guard frame.bundles.count <= limits.recordsMax,
                frame.records.count <= limits.recordsMax
            else { throw .tooMuch }
            self = .keys(
                bundles: frame.bundles.map { [UInt8]($0) },
                records: frame.records.map { [UInt8]($0) }
            )
        case .done(let isDone):
            guard isDone else { throw .malformed }
            self = .done
        case .held(let signature):
            guard let signature = Signature(signature) else { throw .malformed }
            self = .held(signature)
        case .challenge(let challenge):
            guard let challenge = Bytes32(challenge) else { throw .malformed }
            self = .challenge(challenge)
        case .collected(let frame): self = .collected(try Self.waiting(frame, limits))
        case .workWanted(let work):
            guard work > 0 else { throw .malformed }
            self = .workWanted(work)
        case .vault(let frame):
            guard frame.segments.count <= limits.collectedMax else { throw .tooMuch }
            guard frame.hasHeld, frame.unknownFields.data.isEmpty else { throw .malformed }
            var segments: [VaultSegment] = []
            for bytes in frame.segments { segments.append(try VaultSegment(frame: bytes)) }
            self = .vault(try [VaultLogMark](frame.held, limits), segments)
        }
    }

    package var bytes: [UInt8] {
        var frame = MailAnswerFrame()
        switch self {
        case .refused(let refusal): frame.refusal = refusal.rawValue
        case .lease(let lease): frame.lease = Data(lease.bytes)
        case .keys(let bundles, let records):
            frame.keys.bundles = bundles.map { Data($0) }
            frame.keys.records = records.map { Data($0) }
        case .done: frame.done = true
        case .held(let signature): frame.held = Data(signature.bytes)
        case .challenge(let challenge): frame.challenge = Data(challenge.bytes)
        case .collected(let waiting):
            frame.collected = MailCollectedFrame()
            frame.collected.waiting = waiting.map { entry in
                var frame = MailWaitingFrame()
                frame.number = entry.number
                frame.envelope = Data(entry.envelope.bytes)
                frame.origin = Data(entry.origin?.bytes ?? [])
                return frame
            }
        case .workWanted(let work): frame.workWanted = work
        case .vault(let marks, let segments):
            frame.vault.held = marks.frame
            frame.vault.segments = segments.map { Data($0.bytes) }
        }
        return CanonicalMessage.bytes(of: frame)
    }

    private static func waiting(
        _ frame: MailCollectedFrame,
        _ limits: MailLimits
    ) throws(MailFrameFault) -> [WaitingEnvelope] {
        guard frame.waiting.count <= limits.collectedMax else { throw .tooMuch }
        let numbers = frame.waiting.map(\.number)
        guard numbers.first != 0, zip(numbers, numbers.dropFirst()).allSatisfy(<) else {
            throw .malformed
        }
        var waiting: [WaitingEnvelope] = []
        for entry in frame.waiting {
            let envelope = try carried { () throws(MailFault) in
                try MailEnvelope([UInt8](entry.envelope))
            }
            let origin = Bytes32(entry.origin)
            guard entry.origin.isEmpty || origin != nil else { throw .malformed }
            waiting.append(
                WaitingEnvelope(number: entry.number, envelope: envelope, origin: origin)
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
