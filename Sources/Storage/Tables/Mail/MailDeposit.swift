package import Keys
package import Market

/// What became of an envelope that was handed in.
package enum DepositOutcome: Equatable, Sendable {
    case stored(EnvelopeKey)
    /// The same bytes wait here already.
    case duplicate
    case expired
    /// Known senders' mail for this recipient takes all the room it may.
    case recipientOverQuota
    /// Mail under this grant, or strangers' mail from this origin, takes all the room it may.
    case depositorOverQuota
    /// Strangers' mail, for this recipient or in all, takes all the room it may.
    case strangersOverQuota
}

extension WriteTransaction {
    /// Keeps an envelope for a device, if the quotas of its source allow.
    ///
    /// Strangers' mail has quotas of its own and a shorter life, so that however much of it comes
    /// there is room for mail under grants.
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
        var envelope = envelope
        switch envelope.source {
        case .contact(let grant):
            if let refusal = try contactRefusal(byteCount, grant, recipient, limits) {
                return refusal
            }
        case .stranger(let origin):
            if let refusal = try strangerRefusal(byteCount, origin, recipient, limits) {
                return refusal
            }
            envelope = StoredEnvelope(
                hash: envelope.hash,
                source: envelope.source,
                expiresAt: min(envelope.expiresAt, now.advanced(by: limits.strangersLifetime)),
                bytes: envelope.bytes
            )
        }
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
        let byteCount = UInt64(envelope.bytes.count)
        for quota in envelope.source.quotas(of: key.recipient) {
            var load = try load(quota)
            if isAdded {
                load.envelopes += 1
                load.bytes += byteCount
            } else {
                load.envelopes -= min(load.envelopes, 1)
                load.bytes -= min(load.bytes, byteCount)
            }
            if load.envelopes == 0 {
                try remove(MailUsage.self, quota)
            } else {
                try put(MailUsage.self, quota, load)
            }
        }
    }
}

extension Reading where Self: ~Copyable {
    /// Mail under grants, and of strangers, that waits for an account.
    package func mailLoads(
        of account: Address
    ) throws -> (contacts: MailLoad, strangers: MailLoad) {
        (
            try load(MailUsage.contacts(of: account)),
            try load(MailUsage.strangers(of: account))
        )
    }

    /// All mail under grants, and of strangers, that waits here.
    package func mailLoads() throws -> (contacts: MailLoad, strangers: MailLoad) {
        (try load(MailUsage.allContacts), try load(MailUsage.allStrangers))
    }

    fileprivate func load(_ quota: MailUsage.Key) throws -> MailLoad {
        try get(MailUsage.self, quota) ?? MailLoad()
    }

    fileprivate func contactRefusal(
        _ byteCount: UInt64,
        _ grant: Bytes32,
        _ recipient: Address,
        _ limits: Limits
    ) throws -> DepositOutcome? {
        let ofRecipient = try load(MailUsage.contacts(of: recipient))
        guard
            ofRecipient.fits(
                byteCount,
                envelopesMax: limits.recipientEnvelopesMax,
                bytesMax: limits.recipientBytesMax
            )
        else { return .recipientOverQuota }
        // Beyond the budget for all, an account of others has an equal share and no more.
        let all = try load(MailUsage.allContacts)
        if all.bytes + byteCount > limits.contactsBytesMax,
            try !contains(AccountEntries.self, recipient)
        {
            let share = limits.contactsBytesMax / UInt64(max(1, try count(HomedAccounts.self)))
            guard ofRecipient.bytes + byteCount <= share else { return .recipientOverQuota }
        }
        let isInGrant = try load(MailUsage.grant(grant, of: recipient)).fits(
            byteCount,
            envelopesMax: limits.depositorEnvelopesMax,
            bytesMax: limits.depositorBytesMax
        )
        return isInGrant ? nil : .depositorOverQuota
    }

    fileprivate func strangerRefusal(
        _ byteCount: UInt64,
        _ origin: Bytes32,
        _ recipient: Address,
        _ limits: Limits
    ) throws -> DepositOutcome? {
        let all = try load(MailUsage.allStrangers)
        let isInPart = try load(MailUsage.strangers(of: recipient)).fits(
            byteCount,
            envelopesMax: limits.strangersEnvelopesMax,
            bytesMax: limits.strangersBytesMax
        )
        guard isInPart, all.bytes + byteCount <= limits.allStrangersBytesMax else {
            return .strangersOverQuota
        }
        let isInShare = try load(MailUsage.origin(origin, to: recipient)).fits(
            byteCount,
            envelopesMax: limits.originEnvelopesMax,
            bytesMax: limits.originBytesMax
        )
        let isInOrigin = try load(MailUsage.origin(origin)).fits(
            byteCount,
            envelopesMax: limits.depositorEnvelopesMax,
            bytesMax: limits.depositorBytesMax
        )
        return isInShare && isInOrigin ? nil : .depositorOverQuota
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
