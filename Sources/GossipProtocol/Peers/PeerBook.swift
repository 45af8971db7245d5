package import Market

/// The peers that this node knows; decides which to dial and when, and which to ban.
///
/// Pure: it owns no socket, clock or random source. Bounded: a full book removes peers that were
/// never reached before those that were. Addresses come from the configuration, from the peers
/// themselves and, signed, from other peers.
///
/// Source: Docs/operations.md, section 7; Docs/limits.md, section 2.
package struct PeerBook: Sendable {
    package enum Event: Sendable {
        /// An address of the configuration; never forgotten.
        case bootstrap(Multiaddr)
        /// A note kept over a restart.
        case remembered(PeerNote, unixTime: Int64)
        /// A peer's own signed record of its addresses.
        ///
        /// It was reported by `by` (`nil` for the peer itself) over a link to `reporter`'s address.
        /// Of two records the one with the greater `sequence` is valid.
        case learned(
            PeerID,
            [Multiaddr],
            sequence: UInt64 = 0,
            reporter: Multiaddr,
            by: PeerID? = nil
        )
        case linked(LinkInfo)
        case unlinked(PeerID, LinkEnd)
        /// None of the addresses led to the peer; another peer answered at each address in
        /// `others`.
        case dialFailed(PeerID, others: [Multiaddr: PeerID] = [:])
        /// The results of a ``Directive/resolve(_:_:)``; nothing for a name that failed.
        case resolved(PeerID, [Multiaddr: [IPAddress]])
        case offended(PeerID, PeerOffence)
        /// An operator bans a peer, or lifts its ban with a duration of zero.
        case banned(PeerID, for: Duration, reason: String)
        /// A ban of an address that was kept over a restart.
        case rememberedBan(AddressBanNote, unixTime: Int64)
        /// Time has passed; sent once a second.
        case tick
    }

    package enum Directive: Equatable, Sendable {
        /// Dial these one after the other; answer with `linked` or ``Event/dialFailed(_:)``.
        case dial(PeerID, [Multiaddr])
        /// Resolve these names; answer with ``Event/resolved(_:_:)``.
        case resolve(PeerID, [Multiaddr])
        /// A ban began; sent once for each.
        case banned(PeerID, reason: String)
        case bannedAddress(AddressGroup, reason: String)
        /// Accept no links from these addresses, which replace the earlier ones.
        case refuse(Set<AddressGroup>)
        case disconnect(PeerID, reason: String)
        /// The note of this peer changed; see ``PeerBook/note(of:unixTime:at:)``.
        case keep(PeerID)
        /// The ban of this address began or was lifted; see
        /// ``PeerBook/banNote(of:unixTime:at:)``.
        case keepBan(AddressGroup)
    }

    /// The origin of an address, which decides how it may be dialled.
    enum Origin: Hashable, Sendable {
        case configuration
        /// This node has opened a link to it.
        case reached
        /// Reported by another peer; it must resolve to an address at least as public as `floor`.
        case reported(by: DialSource, floor: Reach)
    }

    struct KnownAddress: Hashable, Sendable {
        let address: Multiaddr
        var origin: Origin
        /// The results of a name's last look-up.
        var resolved: [IPAddress] = []

        var ipAddresses: [IPAddress] { address.ipAddress.map { [$0] } ?? resolved }
    }

    struct Entry: Sendable {
        /// Best first.
        var places: [KnownAddress] = []
        var isBootstrap = false
        /// The sequence of the newest record that was read.
        var sequence: UInt64 = 0
        /// When this node last opened a link to it.
        var lastSuccess: Moment?
        var lastFailure: Moment?
        var linkedAt: Moment?
        var failures = 0
        var dialAfter = Moment.start

        var wasReached: Bool { places.contains { $0.origin == .reached } }
    }

    struct Ban: Sendable {
        let until: Moment
        let reason: String
    }

    let limits: PeerBookLimits
    let localPeer: PeerID
    var random: SplitMix
    var entries = PeerEntries()
    /// Addresses and names that are being dialled or resolved.
    var dialling: [PeerID: [Multiaddr]] = [:]
    var bans: [PeerID: Ban] = [:]
    var addressBans: [AddressGroup: Ban] = [:]
    var demerits: DemeritTable<PeerID>
    var addressDemerits: DemeritTable<AddressGroup>
    var budget: DialBudget
    /// Whether peers wait for a dial slot.
    var arePeersWaiting = false
    var links: [PeerID: LinkInfo] = [:]
    /// Banned peers whose links are being closed.
    var refused: Set<PeerID> = []

    package init(
        localPeer: PeerID,
        limits: PeerBookLimits = PeerBookLimits(),
        seed: UInt64
    ) {
        limits.check()
        self.limits = limits
        self.localPeer = localPeer
        random = SplitMix(seed: seed)
        demerits = DemeritTable(life: limits.offenceLife, countMax: limits.bansMax)
        addressDemerits = DemeritTable(life: limits.offenceLife, countMax: limits.bansMax)
        budget = DialBudget(limits: limits)
    }

    package mutating func handle(_ event: Event, at now: Moment) -> [Directive] {
        defer { assert(bans.count <= limits.bansMax && addressBans.count <= limits.bansMax) }
        switch event {
        case .bootstrap(let address):
            guard let peer = address.peer, peer != localPeer else { return [] }
            entries[peer, default: Entry()].isBootstrap = true
            add(KnownAddress(address: address.expecting(peer), origin: .configuration), to: peer)
            return dials(at: now)
        case .remembered(let note, let unixTime): return remember(note, unixTime, at: now)
        case .learned(let peer, let addresses, let sequence, let reporter, let other):
            let word = PeerReport(
                addresses: addresses,
                sequence: sequence,
                reporter: reporter,
                by: other
            )
            return learn(peer, word, at: now)
        case .linked(let info): return link(info, at: now)
        case .unlinked(let peer, let end): return unlink(peer, end, at: now)
        case .dialFailed(let peer, let others): return fail(peer, others, at: now)
        case .resolved(let peer, let found): return resolved(peer, found, at: now)
        case .offended(let peer, let offence): return note(offence, by: peer, at: now)
        case .banned(let peer, let life, let reason):
            return ban(peer, for: life, reason: reason, at: now)
        case .rememberedBan(let note, let unixTime):
            return remember(note, unixTime, at: now)
        case .tick: return forget(at: now) + dials(at: now)
        }
    }

    package var knownCount: Int { entries.count }

    /// Whether the peer is in this node's configuration.
    package func isOwn(_ peer: PeerID) -> Bool { entries[peer]?.isBootstrap ?? false }

    /// Returns the known addresses of a peer, best first.
    package func addresses(of peer: PeerID) -> [Multiaddr] {
        entries[peer]?.places.map(\.address) ?? []
    }

    /// The sequence of the newest record of a peer that was read; 0 if there is none.
    package func sequence(of peer: PeerID) -> UInt64 { entries[peer]?.sequence ?? 0 }

    private mutating func link(_ info: LinkInfo, at now: Moment) -> [Directive] {
        // Its dial is over, whatever happens to the link.
        dialling[info.peer] = nil
        if let directives = refuse(info, at: now) {
            links[info.peer] = nil
            // Until the link is gone, each of the peer's frames reports it again.
            guard refused.insert(info.peer).inserted else { return [] }
            postpone(info.peer, at: now)
            return directives + chargeComingBack(info, at: now)
        }
        refused.remove(info.peer)
        links[info.peer] = info
        entries[info.peer]?.linkedAt = now
        guard info.direction == .outbound else { return [] }
        budget.succeed(info.address)
        if entries[info.peer] == nil, !makeRoom(at: [info.address]) { return [] }
        prefer(info.address.expecting(info.peer), of: info.peer)
        entries[info.peer]?.linkedAt = now
        entries[info.peer]?.lastSuccess = now
        entries[info.peer]?.failures = 0
        return [.keep(info.peer)]
    }

    private mutating func unlink(
        _ peer: PeerID,
        _ end: LinkEnd,
        at now: Moment
    ) -> [Directive] {
        refused.remove(peer)
        guard links.removeValue(forKey: peer) != nil, entries[peer] != nil else { return [] }
        // This node backs off from a peer that ends every link at once, or does nothing on it, as
        // from one that does not answer.
        let lived = entries[peer]?.linkedAt.map { $0 + limits.retryMax <= now } ?? false
        if !lived || end == .idle { entries[peer]?.failures += 1 }
        postpone(peer, at: now)
        return []
    }
}
