package import Keys
package import Market
package import Storage

/// Envelopes that stay in the mailbox although they can be opened, and when each is opened again.
///
/// An envelope waits while its sender is not proved, or while the account has no room for its
/// conversation.
///
/// Laws:
/// - An envelope that does not wait is due. One whose sender is not proved is due when a lookup
///   proved the sender, and at growing intervals otherwise.
/// - Only answered lookups count. After `senderLookupsMax` of them without a proof, the envelope is
///   due one last time and then dropped.
/// - One without room is due each `noRoomInterval`, if there is room then; one about a sale in any
///   case, because the chain may show by then that it belongs to a move.
/// - Each sender of an envelope that was opened since the last lookup is looked up once, if the
///   envelope still waits, and at most `unknownSendersMax` of them at a time: the envelopes' grants
///   and origins take turns, so that one with many senders delays the others by only a few lookups.
/// - At most `envelopesMax` envelopes wait here. When one more would not fit, all are forgotten,
///   and each begins again when it is opened.
package struct WaitingMail: Sendable {
    /// The mailbox's next action for an envelope.
    package enum Status: Equatable, Sendable {
        case due
        case notDue
        /// Due if there is room for a conversation with another account.
        case dueIfRoom(for: Bytes32, with: Address)
    }

    private enum Reason {
        /// `lookups` is the number of answered lookups of the sender that found no certificate.
        case unproved(sender: Address, device: PublicKey, lookups: Int)
        case noRoom(conversation: Bytes32, other: Address)
        case noRoomOfSale
    }

    package static let envelopesMax = 10_000

    private let settings: ChatSettings
    private var waiting: [EnvelopeKey: (reason: Reason, next: Timestamp)] = [:]
    /// The senders to look up, each with its envelopes and the source of its first envelope.
    private var senders: [Address: (source: MailSource, envelopes: Set<EnvelopeKey>)] = [:]
    /// The senders of each source, in order of arrival.
    private var bySource: [MailSource: [Address]] = [:]

    package init(_ settings: ChatSettings) {
        self.settings = settings
    }

    package func status(of envelope: EnvelopeKey, at now: Timestamp) -> Status {
        guard let (reason, next) = waiting[envelope] else { return .due }
        if next > now { return .notDue }
        return switch reason {
        case .unproved, .noRoomOfSale: .due
        case .noRoom(let conversation, let other): .dueIfRoom(for: conversation, with: other)
        }
    }

    /// Keeps an envelope without room for the next time.
    package mutating func keep(
        _ envelope: EnvelopeKey,
        untilRoomFor conversation: Bytes32,
        with other: Address,
        at now: Timestamp
    ) {
        cancelLookup(for: envelope)
        let reason = Reason.noRoom(conversation: conversation, other: other)
        put(envelope, reason, next: now.advanced(by: settings.noRoomInterval))
    }

    /// Keeps an envelope about a sale for the next time, without room for it.
    package mutating func keep(_ envelope: EnvelopeKey, at now: Timestamp) {
        cancelLookup(for: envelope)
        put(envelope, .noRoomOfSale, next: now.advanced(by: settings.noRoomInterval))
    }

    /// Keeps an envelope until its sender is proved, and has the sender looked up.
    ///
    /// - Returns: Whether it is kept; `false` if its sender was looked up often enough.
    package mutating func keep(
        _ envelope: EnvelopeKey,
        untilProved sender: Address,
        device: PublicKey,
        source: MailSource,
        at now: Timestamp
    ) -> Bool {
        var lookups = 0
        if case .unproved(_, _, let known)? = waiting[envelope]?.reason { lookups = known }
        guard lookups < settings.senderLookupsMax else {
            remove(envelope)
            return false
        }
        let reason = Reason.unproved(sender: sender, device: device, lookups: lookups)
        // The result of the lookup replaces this.
        put(envelope, reason, next: now.advanced(by: settings.lookupInterval))
        queue(sender, for: envelope, from: source)
        return true
    }

    /// Has a sender looked up; if there are too many, it replaces one of the largest source.
    private mutating func queue(
        _ sender: Address,
        for envelope: EnvelopeKey,
        from source: MailSource
    ) {
        if senders[sender] != nil {
            senders[sender]?.envelopes.insert(envelope)
            return
        }
        if senders.count >= settings.unknownSendersMax {
            let most = bySource.max { $0.value.count < $1.value.count }
            guard let most, let last = most.value.last,
                most.value.count > (bySource[source]?.count ?? 0) + 1
            else { return }
            dequeue(last)
        }
        senders[sender] = (source, [envelope])
        bySource[source, default: []].append(sender)
    }

    private mutating func dequeue(_ sender: Address) {
        guard let source = senders.removeValue(forKey: sender)?.source else { return }
        bySource[source]?.removeAll { $0 == sender }
        if bySource[source]?.isEmpty == true { bySource[source] = nil }
    }

    /// Forgets an envelope that was filed or dropped.
    package mutating func remove(_ envelope: EnvelopeKey) {
        cancelLookup(for: envelope)
        waiting[envelope] = nil
    }

    /// Removes and returns the senders to look up, their sources taking turns, with the envelopes
    /// that wait for each.
    package mutating func takeSenders() -> [(sender: Address, envelopes: Set<EnvelopeKey>)] {
        defer { (senders, bySource) = ([:], [:]) }
        let turns = bySource.values.flatMap { $0.enumerated().map { ($0.offset, $0.element) } }
        return turns.sorted { $0.0 < $1.0 }.compactMap { _, sender in
            senders[sender].map { (sender, $0.envelopes) }
        }
    }

    /// Returns the device to be proved for an envelope, or `nil` if it does not wait for that.
    package func device(of envelope: EnvelopeKey) -> (sender: Address, device: PublicKey)? {
        guard case .unproved(let sender, let device, _)? = waiting[envelope]?.reason else {
            return nil
        }
        return (sender, device)
    }

    /// Records a lookup of an envelope's sender.
    ///
    /// - Returns: Whether the envelope is due now.
    package mutating func lookedUp(
        _ envelope: EnvelopeKey,
        isProved: Bool,
        isAnswered: Bool,
        at now: Timestamp
    ) -> Bool {
        guard let (reason, due) = waiting[envelope],
            case .unproved(let sender, let device, var lookups) = reason
        else { return false }
        var next = due
        if isProved {
            next = now
        } else if isAnswered {
            lookups += 1
            let isLast = lookups >= settings.senderLookupsMax
            next = isLast ? now : now.advanced(by: settings.retryMin * (1 << lookups))
        }
        put(envelope, .unproved(sender: sender, device: device, lookups: lookups), next: next)
        // The envelope may have been opened again during the lookup.
        if isAnswered { cancelLookup(for: envelope) }
        return next <= now
    }

    private mutating func cancelLookup(for envelope: EnvelopeKey) {
        guard let sender = device(of: envelope)?.sender else { return }
        senders[sender]?.envelopes.remove(envelope)
        if senders[sender]?.envelopes.isEmpty == true { dequeue(sender) }
    }

    private mutating func put(_ envelope: EnvelopeKey, _ reason: Reason, next: Timestamp) {
        if waiting[envelope] == nil, waiting.count >= Self.envelopesMax {
            (waiting, senders, bySource) = ([:], [:], [:])
        }
        waiting[envelope] = (reason, next)
    }
}
