import Answers
import Concurrency
import Gossip
package import GossipProtocol
import Logging
package import Market
import Storage

/// Why a record is not accepted now, although it may be valid.
private enum NotAcceptedNow: Error {
    case openLane(OpenLaneFault)
    case overBudget(RecordMeters.Outcome)
    /// It already waits for its sale.
    case held
    /// Its author replaces more than a sale pays for.
    case tooEarly
    case noRoom
}

extension RecordService: RecordValidator {
    package func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict {
        await validate(data, from: origin)
    }

    /// Validates a record that a peer sent, and stores it if it is valid.
    ///
    /// - Parameters:
    ///   - bytes: The record as received.
    ///   - origin: The origin whose budget it counts against.
    ///   - isAsked: Whether this node asked for it; then the origin's budget does not refuse it.
    /// - Returns: `accept` only once it is durable.
    package func validate(
        _ bytes: [UInt8],
        from origin: RecordOrigin = .unknown,
        isAsked: Bool = false
    ) async -> Verdict {
        do {
            let record = try await verified(bytes, from: origin, isAsked)
            guard let record else { return .ignore }
            return try await counted(from: origin, isAsked) {
                try await settle(record, from: origin, isAsked)
            }
        } catch let fault as RecordFault {
            if case .unknownKind = fault { RecordMeters.countUnknownKind() }
            return fault.verdict
        } catch let reason as NotAcceptedNow {
            switch reason {
            case .openLane(.unstamped): RecordMeters.count(.unstamped)
            case .openLane(.tooLong): RecordMeters.count(.tooLong)
            case .overBudget(let outcome): RecordMeters.count(outcome)
            case .held, .tooEarly, .noRoom: break
            }
            return .ignoreForNow
        } catch {
            errors.note(error, of: "store a record")
            return .ignoreForNow
        }
    }

    /// Makes the cheap checks first; returns `nil` for a record that needs no validation.
    @concurrent
    private func verified(
        _ bytes: [UInt8],
        from origin: RecordOrigin,
        _ isAsked: Bool
    ) async throws -> SignedRecord? {
        let record = try UnverifiedRecord(bytes)
        let now = clock.timestamp
        let isWanted = try store.read {
            if try $0.isHeld(record.id) { throw NotAcceptedNow.held }
            return try !$0.isSettled(record.id)
                || $0.needsRenewal(record.id, at: now)
        }
        guard isWanted else { return nil }
        let kind = try record.admitted(to: network, at: now)
        if AnchorStatus.isOpen(record.draft, of: kind, on: view) {
            try admitOpen(record, from: origin, isAsked)
        }
        guard isAsked || admission.admitCheck(from: origin) else {
            throw NotAcceptedNow.overBudget(.notChecked)
        }
        return try record.verified()
    }

    /// Settles a record, and charges its origin for a failed signature check.
    ///
    /// The check failed if a copy of the record would be checked again.
    private func counted(
        from origin: RecordOrigin,
        _ isAsked: Bool,
        _ settle: () async throws -> Verdict
    ) async throws -> Verdict {
        do {
            return try await settle()
        } catch let reason as NotAcceptedNow {
            if !isAsked { admission.countFailedCheck(from: origin) }
            throw reason
        }
    }

    private func settle(
        _ record: SignedRecord,
        from origin: RecordOrigin,
        _ isAsked: Bool
    ) async throws -> Verdict {
        switch AnchorStatus.of(record, on: view) {
        case .anchored:
            guard let isNews = try await keepAnchored(record, from: origin) else {
                throw NotAcceptedNow.tooEarly
            }
            return isNews ? .accept : .ignore
        case .open:
            // The chain may have changed its mind since the check before the signature's.
            if !AnchorStatus.isOpen(record.unverified.draft, of: record.kind, on: view) {
                try admitOpen(record.unverified, from: origin, isAsked)
            }
            guard admission.admitSigned(record, from: origin) else {
                throw NotAcceptedNow.overBudget(.authorOverBudget)
            }
            if try await keep(record, .open, from: origin) {
                if admission.admitForwarding(record, from: origin) { return .accept }
                RecordMeters.count(.notForwarded)
                return .ignore
            }
            // If there is no room for this origin's record, another origin's copy may still find
            // room.
            let isSettled = try store.read { try $0.isSettled(record.id) }
            guard isSettled else { throw NotAcceptedNow.noRoom }
            return .ignore
        case .refused(let doubt):
            logger.debug("record refused", metadata: ["doubt": "\(doubt)"])
            return .ignore
        case .held: return try await hold(record, from: origin)
        }
    }

    /// Stores an anchored record, if its author's pace allows.
    ///
    /// A slot's first version is limited by the payments on the chain, and an older version changes
    /// nothing. Of versions that are validated at the same time, only one is the first.
    ///
    /// - Returns: Whether the record is new here; `nil` if it arrived too soon.
    func keepAnchored(
        _ record: SignedRecord,
        from origin: RecordOrigin
    ) async throws -> Bool? {
        let key = record.version.key
        let isAlone = pace.begin(key)
        defer { if isAlone { pace.end(key) } }
        let isFree = try isAlone && !store.read { try $0.replacesAnchored(record.version) }
        guard isFree || pace.admits(record, sales: view.saleCount(of: record.author), at: clock.now)
        else { return nil }
        return try await keep(record, .anchored, from: origin)
    }

    /// Admits a record to the open lane if its length, its stamp and its origin's budget allow.
    private func admitOpen(
        _ record: UnverifiedRecord,
        from origin: RecordOrigin,
        _ isAsked: Bool
    ) throws {
        do throws(OpenLaneFault) {
            try rules.check(record)
        } catch {
            throw NotAcceptedNow.openLane(error)
        }
        guard isAsked || admission.admitOpen(record, from: origin) else {
            throw NotAcceptedNow.overBudget(.originOverBudget)
        }
    }

    /// Holds a record whose sale this node has not seen yet, or has not seen end yet.
    private func hold(
        _ record: SignedRecord,
        from origin: RecordOrigin
    ) async throws -> Verdict {
        guard let subject = Self.subject(of: record) else { return .ignore }
        guard admission.admitWaiting(record, from: origin) else {
            throw NotAcceptedNow.overBudget(.heldOverBudget)
        }
        let held = HeldRecord(
            record.bytes,
            by: record.author,
            about: subject,
            from: origin.holder,
            at: clock.timestamp
        )
        let isHeld = try await store.add {
            try $0.hold(record.id, held)
        }
        RecordMeters.count(isHeld ? .held : .heldNoRoom)
        guard isHeld else { throw NotAcceptedNow.noRoom }
        // Gossip forgets the record: it is passed on only once it is validated.
        return .ignoreForNow
    }
}
