package import Keys
package import Market

/// What became of an envelope that was handed in.
package enum DepositOutcome: Equatable, Sendable {
    case stored(EnvelopeKey)
    /// The same bytes wait here already.
    case duplicate
    case expired
    case recipientOverQuota
    case depositorOverQuota
}

extension WriteTransaction {
    /// Keeps an envelope for a device, where the quotas of both sides allow.
    package mutating func deposit(
        _ envelope: StoredEnvelope,
        for recipient: Address,
        device: Bytes32,
        at now: Timestamp,
        limits: Limits = Limits()
    ) throws -> DepositOutcome {
        guard envelope.expiresAt > now else { return .expired }
        if try contains(EnvelopesByHash.self, envelope.hash) { return .duplicate }
        let byteCount = UInt64(envelope.bytes.count)
        let ofRecipient = try get(MailUsage.self, MailUsage.recipient(recipient)) ?? MailLoad()
        guard ofRecipient.envelopes < limits.recipientEnvelopesMax,
            ofRecipient.bytes + byteCount <= limits.recipientBytesMax
        else { return .recipientOverQuota }
        let depositor = MailUsage.depositor(envelope.depositor)
        let ofDepositor = try get(MailUsage.self, depositor) ?? MailLoad()
        guard ofDepositor.envelopes < limits.depositorEnvelopesMax,
            ofDepositor.bytes + byteCount <= limits.depositorBytesMax
        else { return .depositorOverQuota }

        let number = try counter(Counters.envelopeNumber) + 1
        try put(Counters.self, Counters.envelopeNumber, number)
        let key = EnvelopeKey(recipient: recipient, device: device, number: number)
        try put(Envelopes.self, key, envelope)
        try put(EnvelopesByHash.self, envelope.hash, key)
        try put(EnvelopesByExpiry.self, Pair(envelope.expiresAt, key), Nothing())
        try weigh(envelope, of: key, isAdded: true)
        try note(Change(.mail, .stored, key: recipient.bytes + device.bytes))
        return .stored(key)
    }

    /// Removes what a device has collected; others' and unknown keys are passed over.
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
    package mutating func sweepMail(at now: Timestamp, limits: Limits = Limits()) throws -> Int {
        var due: [EnvelopeKey] = []
        try scanKeys(EnvelopesByExpiry.self, .all()) { key in
            guard key.first <= now, due.count < limits.sweepEntriesMax else { return false }
            due.append(key.second)
            return true
        }
        for key in due { _ = try removeEnvelope(key) }
        return due.count
    }

    private mutating func removeEnvelope(_ key: EnvelopeKey) throws -> Bool {
        guard let envelope = try get(Envelopes.self, key) else { return false }
        try remove(Envelopes.self, key)
        try remove(EnvelopesByHash.self, envelope.hash)
        try remove(EnvelopesByExpiry.self, Pair(envelope.expiresAt, key))
        try weigh(envelope, of: key, isAdded: false)
        return true
    }

    private mutating func weigh(
        _ envelope: StoredEnvelope,
        of key: EnvelopeKey,
        isAdded: Bool
    ) throws {
        let sides = [
            MailUsage.recipient(key.recipient), MailUsage.depositor(envelope.depositor),
        ]
        for side in sides {
            var load = try get(MailUsage.self, side) ?? MailLoad()
            let byteCount = UInt64(envelope.bytes.count)
            if isAdded {
                load.envelopes += 1
                load.bytes += byteCount
            } else {
                load.envelopes -= min(load.envelopes, 1)
                load.bytes -= min(load.bytes, byteCount)
            }
            if load.envelopes == 0 {
                try remove(MailUsage.self, side)
            } else {
                try put(MailUsage.self, side, load)
            }
        }
    }
}

extension Reading where Self: ~Copyable {
    /// What waits for a device, in the order of arrival.
    package func envelopes(
        for recipient: Address,
        device: Bytes32,
        after number: UInt64 = 0,
        limit: Int
    ) throws -> [(key: EnvelopeKey, envelope: StoredEnvelope)] {
        var found: [(EnvelopeKey, StoredEnvelope)] = []
        guard limit > 0 else { return [] }
        let place = EnvelopeKey(recipient: recipient, device: device, number: number)
        let scan = Scan<EnvelopeKey>.prefix(Pair(recipient, device)).beyond(place)
        try self.scan(Envelopes.self, scan) { key, envelope in
            found.append((key, envelope))
            return found.count < limit
        }
        return found
    }
}
