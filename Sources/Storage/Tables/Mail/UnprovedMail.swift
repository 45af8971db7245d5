import Keys
import Market

extension WriteTransaction {
    /// Moves a stranger's envelope that its account has opened out of the strangers' part, while its
    /// sender is looked up.
    ///
    /// So what waits for a proof keeps no other stranger's first message out. It has a part of its
    /// own, as large as that. If that is over, the origin with most in it loses its newest, and of
    /// several the one that waits longest, so who sends from few addresses loses his own. Does nothing for mail of contacts, and for what
    /// was moved before.
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
        var evicted: [EnvelopeKey] = []
        let part = MailClass.strangers.part(limits)
        while let next = try overfull(MailUsage.unproved(of: key.recipient), part)
            ? newestOfMost(of: key.recipient) : nil
        {
            _ = try removeEnvelope(next)
            evicted.append(next)
        }
        return evicted
    }

    private func overfull(_ quota: MailUsage.Key, _ part: MailLoad) throws -> Bool {
        let load = try load(quota)
        return load.envelopes > part.envelopes || load.bytes > part.bytes
    }

    /// The newest unproved envelope of the origin that has most of them, or most bytes if there are
    /// too many bytes; reads as many as wait, which is done only when the part is over.
    ///
    /// Of several such origins it is the one whose newest waits longest: its sender was looked up
    /// already. If it were the last that came, mail that was prepared once and comes from very many
    /// addresses would keep every other stranger out until it expires.
    private func newestOfMost(of account: Address) throws -> EnvelopeKey? {
        var held: [Bytes32: (load: MailLoad, newest: EnvelopeKey)] = [:]
        try scan(Envelopes.self, .prefix(account)) { key, envelope in
            guard case .unproved(let origin) = envelope.source else { return true }
            var entry = held[origin] ?? (MailLoad(), key)
            entry.load.envelopes += 1
            entry.load.bytes += envelope.weight
            if key.number > entry.newest.number { entry.newest = key }
            held[origin] = entry
            return true
        }
        let part = MailClass.strangers.part(limits)
        let isByCount = try load(MailUsage.unproved(of: account)).envelopes > part.envelopes
        return held.values.max { one, other in
            let (own, others) =
                isByCount
                ? (one.load.envelopes, other.load.envelopes) : (one.load.bytes, other.load.bytes)
            return own == others ? one.newest.number > other.newest.number : own < others
        }?.newest
    }
}
