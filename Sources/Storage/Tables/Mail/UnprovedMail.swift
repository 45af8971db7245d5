import Keys
import Market

extension WriteTransaction {
    /// Moves a stranger's envelope that its account has opened out of the strangers' part, while its
    /// sender is looked up.
    ///
    /// So what waits for a proof keeps no other stranger's first message out. It has a part of its
    /// own, as large as that. If that is over, the origin with most bytes in it loses its newest, so
    /// who sends from few addresses loses his own. Does nothing for mail of contacts, and for what
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

    /// The newest unproved envelope of the origin that has most bytes of them; reads as many as
    /// wait, which is done only when the part is over.
    private func newestOfMost(of account: Address) throws -> EnvelopeKey? {
        var newest: [Bytes32: (bytes: UInt64, key: EnvelopeKey)] = [:]
        try scan(Envelopes.self, .prefix(account)) { key, envelope in
            guard case .unproved(let origin) = envelope.source else { return true }
            let before = newest[origin]
            let last = before.map { max($0.key.number, key.number) == key.number } ?? true
            newest[origin] = (
                (before?.bytes ?? 0) + envelope.weight, last ? key : before?.key ?? key
            )
            return true
        }
        return newest.max { one, other in
            one.value.bytes == other.value.bytes
                ? one.value.key.number < other.value.key.number
                : one.value.bytes < other.value.bytes
        }?.value.key
    }
}
