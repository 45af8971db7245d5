package import Keys
package import Market

/// The result of depositing an envelope.
package enum DepositOutcome: Equatable, Sendable {
    case stored(EnvelopeKey)
    /// The same bytes wait here already.
    case duplicate
    case expired
    /// The recipient is not a local account and has no lease here.
    case notKeptHere
    /// Known senders' mail, for this recipient or for all such, takes all the room it may.
    case recipientOverQuota
    /// Mail under this grant, or strangers' mail from this origin, takes all the room it may.
    case depositorOverQuota
    /// Strangers' mail, for this recipient or in all, takes all the room it may, and none of it had
    /// to be removed for this envelope.
    case strangersOverQuota
}

extension WriteTransaction {
    /// Keeps an envelope for a device, if the quotas of its source allow.
    ///
    /// If the recipient's part for strangers is full, the newest envelopes of the origin that has
    /// most are removed for a stranger's envelope, if that envelope's origin then has at most as
    /// many, see ``displaced(by:of:for:)``.
    ///
    /// Strangers' mail has its own quotas and a shorter life, so that there is room for mail under
    /// grants however much of it arrives.
    package mutating func deposit(
        _ envelope: StoredEnvelope,
        for recipient: Address,
        device: Bytes32,
        at now: Timestamp
    ) throws -> DepositOutcome {
        guard envelope.expiresAt > now else { return .expired }
        if try contains(EnvelopesByHash.self, envelope.hash) { return .duplicate }
        var expiresAt = envelope.expiresAt
        if case .stranger = envelope.source {
            expiresAt = min(expiresAt, now.advanced(by: limits.strangersLifetime))
        }
        var envelope = StoredEnvelope(
            hash: envelope.hash,
            source: envelope.source,
            expiresAt: expiresAt,
            bytes: envelope.bytes
        )
        guard let host = try mailHost(of: recipient) else { return .notKeptHere }
        envelope.host = host
        if case .stranger(let origin) = envelope.source {
            for key in try displaced(by: envelope, of: origin, for: recipient) {
                _ = try removeEnvelope(key)
            }
        }
        if let refusal = try refusal(of: envelope, for: recipient) { return refusal }
        let number = try counter(Counters.envelopeNumber) + 1
        try put(Counters.self, Counters.envelopeNumber, number)
        let key = EnvelopeKey(recipient: recipient, device: device, number: number)
        try put(Envelopes.self, key, envelope)
        try put(EnvelopesByHash.self, envelope.hash, key)
        try put(EnvelopesByExpiry.self, CompositeKey(envelope.expiresAt, key), EmptyValue())
        try weigh(envelope, of: key, isAdded: true)
        return .stored(key)
    }

    /// Removes the envelopes that a device has collected; others' and unknown keys are skipped.
    ///
    /// - Returns: How many were there.
    package mutating func acknowledge(
        _ keys: [EnvelopeKey],
        by recipient: Address,
        device: Bytes32
    ) throws -> Int {
        var count = 0
        for key in keys where key.recipient == recipient && key.device == device {
            if try removeEnvelope(key) { count += 1 }
        }
        return count
    }

    /// Removes envelopes whose time is over, some at a time.
    ///
    /// - Returns: How many it removed; call again while not zero.
    package mutating func sweepMail(at now: Timestamp) throws -> Int {
        let due = try keys(EnvelopesByExpiry.self, .all(), limit: limits.sweepEntriesMax) {
            $0.first <= now
        }
        for key in due { _ = try removeEnvelope(key.second) }
        return due.count
    }

    mutating func removeEnvelope(_ key: EnvelopeKey) throws -> Bool {
        guard let envelope = try get(Envelopes.self, key) else { return false }
        try remove(Envelopes.self, key)
        try remove(EnvelopesByHash.self, envelope.hash)
        try remove(EnvelopesByExpiry.self, CompositeKey(envelope.expiresAt, key))
        try weigh(envelope, of: key, isAdded: false)
        return true
    }

    mutating func weigh(
        _ envelope: StoredEnvelope,
        of key: EnvelopeKey,
        isAdded: Bool
    ) throws {
        let (source, host) = (envelope.source, envelope.host)
        for quota in source.quotas(of: key.recipient) + host.quotas(of: source.kind) {
            var load = try load(quota)
            if isAdded {
                load.envelopes += 1
                load.bytes += envelope.weight
            } else {
                load.envelopes -= min(load.envelopes, 1)
                load.bytes -= min(load.bytes, envelope.weight)
            }
            if load.envelopes == 0 {
                try remove(MailUsage.self, quota)
            } else {
                try put(MailUsage.self, quota, load)
            }
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The reason why there is no room for an envelope; `nil` if there is.
    fileprivate func refusal(
        of envelope: StoredEnvelope,
        for recipient: Address
    ) throws -> DepositOutcome? {
        let (kind, weight) = (envelope.source.kind, envelope.weight)
        let (held, part) = (try load(kind.usage(of: recipient)), kind.part(limits))
        guard held.fits(weight, in: part),
            try hasBudget(for: kind, weight, envelope.host, held: held.bytes)
        else { return kind == .contacts ? .recipientOverQuota : .strangersOverQuota }
        let isInShare: Bool
        switch envelope.source {
        case .contact(let grant):
            // A quarter of the room that the other grants leave, so that the next grant always
            // finds room.
            let ofGrant = try load(MailUsage.grant(grant, of: recipient))
            let share = MailLoad(
                envelopes: (part.envelopes - held.envelopes + ofGrant.envelopes) / 4,
                bytes: (part.bytes - held.bytes + ofGrant.bytes) / 4
            )
            isInShare = ofGrant.fits(weight, in: share)
        case .unproved: isInShare = false
        case .stranger(let origin):
            isInShare = try hasShare(weight, of: origin, for: recipient)
        }
        return isInShare ? nil : .depositorOverQuota
    }

    /// Whether strangers' mail of an origin may take this much more.
    private func hasShare(
        _ weight: UInt64,
        of origin: Bytes32,
        for recipient: Address
    ) throws -> Bool {
        let here = MailLoad(envelopes: limits.originEnvelopesMax, bytes: limits.originBytesMax)
        let inAll = MailLoad(
            envelopes: limits.depositorEnvelopesMax,
            bytes: limits.depositorBytesMax
        )
        return try load(MailUsage.origin(origin, to: recipient)).fits(weight, in: here)
            && load(MailUsage.origin(origin)).fits(weight, in: inAll)
    }

    /// The strangers' envelopes that are removed to make room for one more in its recipient's part:
    /// none if there is room, or if its origin would then have more than the one that loses them.
    ///
    /// Among several largest origins, it is the one whose newest envelope arrived last: an origin
    /// that keeps the part full displaces only later envelopes, and none that waited before.
    ///
    /// Source: Docs/protocol.md, section 10.8.
    fileprivate func displaced(
        by envelope: StoredEnvelope,
        of origin: Bytes32,
        for recipient: Address
    ) throws -> [EnvelopeKey] {
        let weight = envelope.weight
        let part = MailClass.strangers.part(limits)
        var held = try load(MailUsage.strangers(of: recipient))
        guard !held.fits(weight, in: part), try hasShare(weight, of: origin, for: recipient),
            try hasBudget(for: .strangers, weight, envelope.host, held: held.bytes)
        else { return [] }
        var mail = try OriginMail(of: recipient, in: self) { source in
            if case .stranger(let origin) = source { origin } else { nil }
        }
        var gone: [EnvelopeKey] = []
        while !held.fits(weight, in: part) {
            let isByCount = held.envelopes >= part.envelopes
            guard
                let (key, taken) = mail.takeNewestOfMost(
                    byCount: isByCount,
                    leaving: isByCount ? 1 : weight,
                    to: origin,
                    amongEqual: >
                )
            else { return [] }
            gone.append(key)
            held.envelopes -= min(held.envelopes, 1)
            held.bytes -= min(held.bytes, taken)
        }
        return gone
    }
}

/// The waiting envelopes of strangers for one account, by origin.
struct OriginMail {
    private var held: [Bytes32: [(key: EnvelopeKey, weight: UInt64)]] = [:]

    /// Reads all that waits for an account; `origin` says whose an envelope is, or that it does not
    /// count.
    init(
        of account: Address,
        in transaction: borrowing some ReadableTransaction & ~Copyable,
        origin: (MailSource) -> Bytes32?
    ) throws {
        var found: [Bytes32: [(key: EnvelopeKey, weight: UInt64)]] = [:]
        try transaction.scan(Envelopes.self, .prefix(account)) { key, envelope in
            if let origin = origin(envelope.source) {
                found[origin, default: []].append((key, envelope.weight))
            }
            return true
        }
        held = found.mapValues { $0.sorted { $0.key.number < $1.key.number } }
    }

    /// Removes and returns the newest envelope of the origin with the most; `nil` if that has not
    /// at least `least` more than `own`, or is it.
    ///
    /// - Parameters:
    ///   - byCount: Whether envelopes are counted, or their bytes.
    ///   - least: How much more it must have.
    ///   - own: The origin that is compared; `nil` takes from any.
    ///   - isFirst: Which of two numbers of newest envelopes ranks first among equal origins.
    /// - Returns: The removed envelope, and its weight; `nil` if no origin has enough.
    mutating func takeNewestOfMost(
        byCount: Bool,
        leaving least: UInt64 = 0,
        to own: Bytes32? = nil,
        amongEqual isFirst: (UInt64, UInt64) -> Bool
    ) -> (key: EnvelopeKey, weight: UInt64)? {
        func size(_ mail: [(key: EnvelopeKey, weight: UInt64)]) -> UInt64 {
            byCount ? UInt64(mail.count) : mail.reduce(0) { $0 + $1.weight }
        }
        let sizes = held.mapValues(size)
        let most = sizes.max { one, other in
            guard one.value == other.value else { return one.value < other.value }
            let (newest, others) = (held[one.key]?.last, held[other.key]?.last)
            return isFirst(others?.key.number ?? 0, newest?.key.number ?? 0)
        }
        guard let most, most.key != own,
            most.value >= (own.flatMap { sizes[$0] } ?? 0) + least
        else { return nil }
        let taken = held[most.key]?.popLast()
        if held[most.key]?.isEmpty == true { held[most.key] = nil }
        return taken
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether these bytes wait for that device already.
    package func holds(
        _ envelope: Bytes32,
        for recipient: Address,
        device: Bytes32
    ) throws -> Bool {
        guard let key = try get(EnvelopesByHash.self, envelope) else { return false }
        return key.recipient == recipient && key.device == device
    }

    /// The keys of the mail that waits for a device, in the order of arrival.
    package func envelopeKeys(
        for recipient: Address,
        device: Bytes32,
        after number: UInt64 = 0,
        limit: Int
    ) throws -> [EnvelopeKey] {
        let place = EnvelopeKey(recipient: recipient, device: device, number: number)
        let scan = Scan<EnvelopeKey>.prefix(CompositeKey(recipient, device)).beyond(place)
        return try keys(Envelopes.self, scan, limit: limit)
    }

    /// A waiting envelope; `nil` if it has been collected or removed, or never arrived.
    package func envelope(at key: EnvelopeKey) throws -> StoredEnvelope? {
        try get(Envelopes.self, key)
    }

    /// The envelopes that wait for a device, in order of arrival.
    package func envelopes(
        for recipient: Address,
        device: Bytes32,
        after number: UInt64 = 0,
        limit: Int
    ) throws -> [(key: EnvelopeKey, envelope: StoredEnvelope)] {
        let place = EnvelopeKey(recipient: recipient, device: device, number: number)
        let scan = Scan<EnvelopeKey>.prefix(CompositeKey(recipient, device)).beyond(place)
        return try entries(Envelopes.self, scan, limit: limit).map { ($0.key, $0.value) }
    }
}
