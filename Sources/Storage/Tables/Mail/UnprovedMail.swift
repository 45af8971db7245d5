extension WriteTransaction {
    /// Moves a stranger's envelope that its account has opened out of the strangers' part, while
    /// its sender is looked up.
    ///
    /// So mail that waits for a proof displaces no other stranger's first message. It has a part of
    /// the same size. If that part is full, the origin with the most mail in it loses its newest
    /// envelope, or of several such origins the one that has waited longest, so a sender with few
    /// addresses loses its own mail. Does nothing for mail of contacts, or for mail that was moved
    /// before.
    ///
    /// Source: Docs/protocol.md, section 10.10.
    ///
    /// - Returns: The envelopes that had to go, which may include this one.
    package mutating func setAsideUnproved(_ key: EnvelopeKey) throws -> [EnvelopeKey] {
        guard let envelope = try get(Envelopes.self, key),
            case .stranger(let origin) = envelope.source
        else { return [] }
        let moved = envelope.counted(as: .unproved(origin: origin))
        try weigh(envelope, of: key, isAdded: false)
        try put(Envelopes.self, key, moved)
        try weigh(moved, of: key, isAdded: true)
        let part = MailClass.strangers.part(limits)
        var load = try load(MailUsage.unproved(of: key.recipient))
        guard load.envelopes > part.envelopes || load.bytes > part.bytes else { return [] }
        // Read only when the part is over.
        var mail = try OriginMail(of: key.recipient, in: self) { source in
            if case .unproved(let origin) = source { origin } else { nil }
        }
        var evicted: [EnvelopeKey] = []
        // Among several origins it is the one whose newest envelope has waited longest: its sender
        // was already looked up. If it were the last to arrive, mail prepared once and sent from
        // very many addresses would keep out every other stranger until it expires.
        while load.envelopes > part.envelopes || load.bytes > part.bytes,
            let next = mail.takeNewestOfMost(
                byCount: load.envelopes > part.envelopes,
                amongEqual: <
            )
        {
            _ = try removeEnvelope(next.key)
            evicted.append(next.key)
            load.envelopes -= min(load.envelopes, 1)
            load.bytes -= min(load.bytes, next.weight)
        }
        return evicted
    }
}
