package import Market

/// The addresses of peers: learned, kept over restarts, and bounded.
extension PeerBook {
    /// A peer's signed record, with the peer that sent it.
    struct PeerReport {
        let addresses: [Multiaddr]
        let sequence: UInt64
        let reporter: Multiaddr
        let by: PeerID?
    }

    /// Handles a peer's signed record of its addresses.
    ///
    /// An address is accepted only if it is at least as public as the reporter's: a peer must not
    /// make this node connect to its own neighbours. The same applies to what a name resolves to
    /// when it is dialled. A newer record replaces the addresses of an older one; an older record
    /// is ignored.
    mutating func learn(_ peer: PeerID, _ word: PeerReport, at now: Moment) -> [Directive] {
        guard peer != localPeer, ban(of: peer, at: now) == nil,
            !isBanned(word.reporter, at: now)
        else { return [] }
        let known = entries[peer]?.sequence ?? 0
        guard word.sequence >= known else { return [] }
        let floor = word.reporter.ipAddress?.standing ?? .world
        let source =
            AddressGroup(of: word.reporter)
            .map { DialSource.group($0.wholeSubnet) } ?? .peer(word.by ?? peer)
        let believed = word.addresses.prefix(limits.addressesPerPeerMax).filter {
            $0.reach >= floor && ($0.peer ?? peer) == peer && $0.port != 0
                && !isBanned($0, at: now)
        }
        guard entries[peer] != nil || (!believed.isEmpty && makeRoom(at: believed)) else {
            return []
        }
        let before = entries[peer]?.places
        if word.sequence > known {
            entries[peer]?.places.removeAll { place in
                place.isReported && !believed.contains { $0.isSame(as: place.address) }
            }
        }
        for address in believed where isRoom(for: peer, at: address) {
            let origin = Origin.reported(by: source, floor: floor)
            add(KnownAddress(address: address.expecting(peer), origin: origin), to: peer)
        }
        if word.sequence > known { entries[peer]?.sequence = word.sequence }
        // Known addresses are not a reason to act, however often they are reported.
        guard before != entries[peer]?.places else { return [] }
        return [.keep(peer)] + dialSoon(peer, at: now)
    }

    mutating func remember(
        _ note: PeerNote,
        _ unixTime: Int64,
        at now: Moment
    ) -> [Directive] {
        if let until = note.bannedUntil, until > unixTime, bans.count < limits.bansMax {
            bans[note.peer] = Ban(until: now + .seconds(until - unixTime), reason: note.banReason)
        }
        guard note.peer != localPeer, !note.addresses.isEmpty,
            entries[note.peer] != nil || makeRoom(at: note.addresses)
        else { return [] }
        for (index, address) in note.addresses.enumerated() {
            // The best address is first, and was accepted before; a name must resolve to a public
            // address.
            let isReached = index == 0 && note.lastSuccessAt != nil && address.ipAddress != nil
            let floor = address.ipAddress?.reach ?? .world
            let told = Origin.reported(by: .peer(note.peer), floor: floor)
            let origin = isReached ? .reached : told
            add(KnownAddress(address: address.expecting(note.peer), origin: origin), to: note.peer)
        }
        entries[note.peer]?.failures = min(note.failures, 3)
        entries[note.peer]?.sequence = note.sequence
        if note.lastSuccessAt != nil { entries[note.peer]?.lastSuccess = now }
        return []
    }

    /// Returns the state of a peer to store over a restart; `nil` if there is none.
    package func note(of peer: PeerID, unixTime: Int64, at now: Moment) -> PeerNote? {
        func unix(_ moment: Moment) -> Int64 {
            unixTime + (moment.sinceStart - now.sinceStart).components.seconds
        }
        let ban = ban(of: peer, at: now)
        guard entries[peer] != nil || ban != nil else { return nil }
        return PeerNote(
            peer: peer,
            addresses: addresses(of: peer),
            sequence: entries[peer]?.sequence ?? 0,
            lastSuccessAt: entries[peer]?.lastSuccess.map(unix),
            lastFailureAt: entries[peer]?.lastFailure.map(unix),
            failures: entries[peer]?.failures ?? 0,
            bannedUntil: ban.map { unix($0.until) },
            banReason: ban?.reason ?? ""
        )
    }

    /// Adds an address, or gives a known address a better origin.
    mutating func add(_ place: KnownAddress, to peer: PeerID) {
        var present = entries[peer, default: Entry()].places
        if let index = present.firstIndex(where: { $0.address == place.address }) {
            if present[index].isReported { present[index].origin = place.origin }
        } else {
            if present.count >= limits.addressesPerPeerMax {
                let worst = present.lastIndex(where: \.isReported)
                present.remove(at: worst ?? present.count - 1)
            }
            present.append(place)
        }
        entries[peer, default: Entry()].places = present
    }

    /// Puts an address that worked before the others.
    mutating func prefer(_ address: Multiaddr, of peer: PeerID) {
        var others = entries[peer, default: Entry()].places
        let before = others.firstIndex { $0.address == address }.map { others.remove(at: $0) }
        // One address that worked is enough; older ones count as reported.
        others.removeAll { $0.origin == .reached }
        let isOwn = before?.origin == .configuration
        let place = KnownAddress(address: address, origin: isOwn ? .configuration : .reached)
        entries[peer, default: Entry()].places =
            [place] + others.prefix(limits.addressesPerPeerMax - 1)
    }

    /// Whether one more peer may have `place`, given the peers at and near it.
    func hasRoom(at place: IPAddress) -> Bool {
        // A whole market may run on this machine, and its processes are trusted.
        guard place.reach != .machine else { return true }
        let group = AddressGroup(place)
        return entries.peers(at: group).count < limits.peersPerAddressMax
            && entries.peers(near: group).count < limits.peersPerSubnetMax
    }

    /// Whether a peer of the book may have one more address, given the other peers there.
    private func isRoom(for peer: PeerID, at address: Multiaddr) -> Bool {
        guard let place = address.ipAddress else { return true }
        return entries.peers(at: AddressGroup(place)).contains(peer) || hasRoom(at: place)
    }

    /// Makes room in the book for a peer with these addresses; returns whether it may be added.
    ///
    /// If an address has too many peers, one that was never reached is removed: filling an address
    /// with unreachable keys therefore keeps no reachable peer out. No peer is removed unless the
    /// new one is certain to be added.
    mutating func makeRoom(at addresses: some Collection<Multiaddr>) -> Bool {
        let ipAddresses = addresses.compactMap(\.ipAddress)
        let full = ipAddresses.filter { !hasRoom(at: $0) }
        guard full.allSatisfy({ !unreached(at: $0).isEmpty }) else { return false }
        if ipAddresses.isEmpty, entries.namedCount >= limits.namedPeersMax { return false }
        for place in full where !hasRoom(at: place) {
            guard replaceUnreached(at: place) else { return false }
        }
        guard entries.count >= limits.peersMax else { return true }
        guard let worst = dispensable else { return false }
        entries[worst] = nil
        return true
    }

    /// The peer to remove first.
    private var dispensable: PeerID? {
        func order(_ peer: PeerID, _ entry: Entry) -> (Int, Int, PeerID) {
            (entry.lastSuccess == nil ? 0 : 1, -entry.failures, peer)
        }
        return entries.all.lazy.filter { isDispensable($0.key, $0.value) }
            .min { order($0.key, $0.value) < order($1.key, $1.value) }?.key
    }

    private func isDispensable(_ peer: PeerID, _ entry: Entry) -> Bool {
        !entry.isBootstrap && links[peer] == nil && dialling[peer] == nil
    }

    /// Removes a peer at or near this address that was never reached.
    ///
    /// The choice is random, so that no one can influence it.
    private mutating func replaceUnreached(at place: IPAddress) -> Bool {
        let unreached = unreached(at: place)
        guard let victim = unreached.sorted().randomElement(using: &random) else { return false }
        entries[victim] = nil
        return hasRoom(at: place)
    }

    /// Returns the removable peers at a full address, or else near it, that were never reached.
    private func unreached(at place: IPAddress) -> Set<PeerID> {
        let group = AddressGroup(place)
        let there = entries.peers(at: group)
        let isFull = there.count >= limits.peersPerAddressMax
        return (isFull ? there : entries.peers(near: group)).filter { peer in
            entries[peer].map { $0.lastSuccess == nil && isDispensable(peer, $0) } ?? false
        }
    }
}

extension PeerBook.KnownAddress {
    /// Whether the address is known only because another peer reported it.
    var isReported: Bool { if case .reported = origin { true } else { false } }
}

extension Multiaddr {
    /// Returns the same port and peer at an IP address.
    package func at(_ address: IPAddress) -> Multiaddr {
        Multiaddr(host: address.isIP4 ? .ip4(address) : .ip6(address), port: port, peer: peer)
    }

    /// Whether an IP address is of the kind that `dns4` or `dns6` asks for.
    package func isOfItsKind(_ address: IPAddress) -> Bool {
        switch host {
        case .dns4: address.isIP4
        case .dns6: !address.isIP4
        case .dns, .ip4, .ip6: true
        }
    }

    /// Whether both have the same host and port, whatever peer is expected there.
    func isSame(as other: Multiaddr) -> Bool { expecting(nil) == other.expecting(nil) }
}
