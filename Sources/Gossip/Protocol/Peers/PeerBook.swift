package import Market

/// Knows peers and their addresses, decides whom to dial and when, and whom to ban.
///
/// Pure: it owns no socket, clock or random source. Bounded: a full book lets a peer go that was
/// never reached, before one that was. Addresses come from the configuration, from the peers
/// themselves and, signed, from others.
///
/// Source: Docs/operations.md, section 3.
package struct PeerBook: Sendable {
    package enum Event: Sendable {
        /// An address of the configuration; never forgotten.
        case bootstrap(Multiaddr)
        /// What was kept over a restart.
        case remembered(PeerNote, unixTime: Int64)
        /// A peer's own signed word for where it is, heard over a link to `teller`'s address.
        case learned(PeerID, [Multiaddr], teller: Multiaddr)
        case linked(LinkInfo)
        case unlinked(PeerID, LinkEnd)
        case dialFailed(PeerID)
        case offended(PeerID, PeerOffence)
        /// An operator bans, or lifts a ban with a duration of zero.
        case banned(PeerID, for: Duration, reason: String)
        /// Time has passed; once a second.
        case tick
    }

    package enum Directive: Equatable, Sendable {
        /// Try these one after the other; answer with `linked` or ``Event/dialFailed(_:)``.
        case dial(PeerID, [Multiaddr])
        case disconnect(PeerID, reason: String)
        /// The note of this peer changed; see ``PeerBook/note(of:unixTime:at:)``.
        case keep(PeerID)
    }

    struct Entry: Sendable {
        var addresses: [Multiaddr] = []
        var isBootstrap = false
        var lastSuccess: Moment?
        var lastFailure: Moment?
        var failures = 0
        var dialAfter = Moment.start
        var isDialling = false
    }

    struct Ban: Sendable {
        let until: Moment
        let reason: String
    }

    let limits: PeerBookLimits
    let localPeer: PeerID
    var random: SplitMix
    var entries: [PeerID: Entry] = [:]
    var bans: [PeerID: Ban] = [:]
    var demerits: [PeerID: (weight: Int, since: Moment)] = [:]
    var links: [PeerID: LinkInfo] = [:]

    package init(
        localPeer: PeerID,
        limits: PeerBookLimits = PeerBookLimits(),
        seed: UInt64
    ) {
        limits.check()
        self.limits = limits
        self.localPeer = localPeer
        random = SplitMix(seed: seed)
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Directive] {
        defer { assert(bans.count <= limits.bansMax) }
        switch event {
        case .bootstrap(let address):
            guard let peer = address.peer, peer != localPeer else { return [] }
            entries[peer, default: Entry()].isBootstrap = true
            add(address, to: peer)
            return dials(at: now)
        case .remembered(let note, let unixTime): return remember(note, unixTime, at: now)
        case .learned(let peer, let addresses, let teller):
            return learn(peer, addresses, teller, at: now)
        case .linked(let info): return link(info, at: now)
        case .unlinked(let peer, let end): return unlink(peer, end, at: now)
        case .dialFailed(let peer): return fail(peer, at: now)
        case .offended(let peer, let offence): return note(offence, by: peer, at: now)
        case .banned(let peer, let life, let reason):
            return ban(peer, for: life, reason: reason, at: now)
        case .tick:
            forget(at: now)
            return dials(at: now)
        }
    }

    /// Whether `peer` may not be linked now, and why.
    package func ban(of peer: PeerID, at now: Moment) -> (until: Moment, reason: String)? {
        guard let ban = bans[peer], ban.until > now else { return nil }
        return (ban.until, ban.reason)
    }

    /// Peers that are banned now.
    package func banned(at now: Moment) -> [PeerID] {
        bans.filter { $0.value.until > now }.keys.sorted()
    }

    package var knownCount: Int { entries.count }

    /// The addresses at which a peer may be found, best first.
    package func addresses(of peer: PeerID) -> [Multiaddr] { entries[peer]?.addresses ?? [] }

    private mutating func link(_ info: LinkInfo, at now: Moment) -> [Directive] {
        if let ban = ban(of: info.peer, at: now) {
            return [.disconnect(info.peer, reason: ban.reason)]
        }
        links[info.peer] = info
        entries[info.peer]?.isDialling = false
        if info.direction == .outbound {
            if entries[info.peer] == nil, !makeRoom(for: [info.address]) { return [] }
            prefer(info.address.expecting(info.peer), of: info.peer)
        }
        guard entries[info.peer] != nil else { return [] }
        entries[info.peer]?.lastSuccess = now
        entries[info.peer]?.failures = 0
        return [.keep(info.peer)]
    }

    private mutating func unlink(
        _ peer: PeerID,
        _ end: LinkEnd,
        at now: Moment
    ) -> [Directive] {
        guard links.removeValue(forKey: peer) != nil, entries[peer] != nil else { return [] }
        // A peer that ends every link at once is backed off from like one that does not answer.
        let lived = entries[peer]?.lastSuccess.map { $0 + limits.retryMax <= now } ?? false
        if !lived { entries[peer]?.failures += 1 }
        postpone(peer, at: now)
        return []
    }

    private mutating func fail(_ peer: PeerID, at now: Moment) -> [Directive] {
        guard entries[peer] != nil else { return [] }
        entries[peer]?.isDialling = false
        entries[peer]?.failures += 1
        entries[peer]?.lastFailure = now
        postpone(peer, at: now)
        return [.keep(peer)]
    }

    private mutating func note(
        _ offence: PeerOffence,
        by peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        let before = demerits[peer].map { $0.since + limits.offenceLife > now ? $0.weight : 0 }
        let weight = (before ?? 0) + offence.tolerance.weight
        guard weight >= OffenceTolerance.none.weight else {
            let since = before == 0 ? now : demerits[peer]?.since ?? now
            if demerits[peer] != nil || demerits.count < limits.bansMax {
                demerits[peer] = (weight, since)
            }
            return []
        }
        demerits[peer] = nil
        return ban(peer, for: limits.banLife, reason: offence.name, at: now)
    }

    private mutating func ban(
        _ peer: PeerID,
        for life: Duration,
        reason: String,
        at now: Moment
    ) -> [Directive] {
        guard life > .zero else {
            bans[peer] = nil
            return [.keep(peer)]
        }
        if bans[peer] == nil, bans.count >= limits.bansMax,
            let soonest = bans.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            bans[soonest.key] = nil
        }
        bans[peer] = Ban(until: now + life, reason: reason)
        let isLinked = links[peer] != nil
        return [.keep(peer)] + (isLinked ? [.disconnect(peer, reason: reason)] : [])
    }

    private mutating func forget(at now: Moment) {
        bans = bans.filter { $0.value.until > now }
        demerits = demerits.filter { $0.value.since + limits.offenceLife > now }
    }
}
