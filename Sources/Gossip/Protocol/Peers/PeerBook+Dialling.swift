package import Market

extension PeerBook {
    /// Chooses whom to dial now: those of the configuration first, then those reached before,
    /// then the rest by chance.
    mutating func dials(at now: Moment) -> [Directive] {
        let running = entries.values.filter(\.isDialling).count
        let outbound = links.values.filter { $0.direction == .outbound }.count
        let wanted = max(
            limits.linksWanted - links.count,
            limits.dialledWanted - outbound
        )
        // Peers of the configuration are dialled however many others are there.
        let bootstraps = ready(at: now, isBootstrap: true).sorted().prefix(limits.dialsMax)
        let free = min(limits.dialsMax, max(wanted, 0)) - running - bootstraps.count
        guard free > 0 else { return bootstraps.map { dial($0) } }
        let others = ready(at: now, isBootstrap: false).sorted().shuffled(using: &random)
        let known = others.filter { entries[$0]?.lastSuccess != nil }
        let unknown = others.filter { entries[$0]?.lastSuccess == nil }
        return (bootstraps + (known + unknown).prefix(free)).map { dial($0) }
    }

    private func ready(at now: Moment, isBootstrap: Bool) -> [PeerID] {
        entries.filter { peer, entry in
            entry.isBootstrap == isBootstrap && links[peer] == nil && !entry.isDialling
                && entry.dialAfter <= now && !entry.addresses.isEmpty
                && ban(of: peer, at: now) == nil
        }
        .map(\.key)
    }

    private mutating func dial(_ peer: PeerID) -> Directive {
        entries[peer]?.isDialling = true
        return .dial(peer, addresses(of: peer))
    }

    /// Waits longer after each failure, with chance in it, so that peers do not dial in step.
    mutating func postpone(_ peer: PeerID, at now: Moment) {
        let doublings = min(entries[peer]?.failures ?? 0, 12)
        let isBootstrap = entries[peer]?.isBootstrap ?? false
        let waitMax = isBootstrap ? limits.bootstrapRetryMax : limits.retryMax
        let wait = min(limits.retryMin * (1 << doublings), waitMax)
        let percent = Int(50 + random.next() % 101)
        entries[peer]?.dialAfter = now + wait * percent / 100
    }

    /// Takes in a peer's own word for where it is.
    ///
    /// An address of this machine or a private network is believed only from a teller in the same
    /// kind of place: a stranger must not make this node knock at its neighbours' doors.
    mutating func learn(
        _ peer: PeerID,
        _ addresses: [Multiaddr],
        _ teller: Multiaddr,
        at now: Moment
    ) -> [Directive] {
        guard peer != localPeer, ban(of: peer, at: now) == nil else { return [] }
        let believed = addresses.prefix(limits.addressesPerPeerMax).filter {
            $0.reach >= teller.reach && ($0.peer ?? peer) == peer && $0.port != 0
        }
        guard !believed.isEmpty, entries[peer] != nil || makeRoom(for: believed) else {
            return []
        }
        let before = entries[peer]?.addresses
        for address in believed { add(address, to: peer) }
        let keep: [Directive] = before == entries[peer]?.addresses ? [] : [.keep(peer)]
        return keep + dials(at: now)
    }

    mutating func remember(
        _ note: PeerNote,
        _ unixTime: Int64,
        at now: Moment
    ) -> [Directive] {
        if let until = note.bannedUntil, until > unixTime, bans.count < limits.bansMax {
            bans[note.peer] = Ban(
                until: now + .seconds(until - unixTime),
                reason: note.banReason
            )
        }
        guard note.peer != localPeer, !note.addresses.isEmpty,
            entries[note.peer] != nil || makeRoom(for: note.addresses)
        else { return [] }
        for address in note.addresses { add(address, to: note.peer) }
        entries[note.peer]?.failures = min(note.failures, 3)
        if note.lastSuccessAt != nil { entries[note.peer]?.lastSuccess = now }
        return []
    }

    /// What is worth keeping of a peer; `nil` where nothing is.
    package func note(of peer: PeerID, unixTime: Int64, at now: Moment) -> PeerNote? {
        func unix(_ moment: Moment) -> Int64 {
            unixTime + (moment.sinceStart - now.sinceStart).components.seconds
        }
        let ban = ban(of: peer, at: now)
        guard entries[peer] != nil || ban != nil else { return nil }
        return PeerNote(
            peer: peer,
            addresses: addresses(of: peer),
            lastSuccessAt: entries[peer]?.lastSuccess.map(unix),
            lastFailureAt: entries[peer]?.lastFailure.map(unix),
            failures: entries[peer]?.failures ?? 0,
            bannedUntil: ban.map { unix($0.until) },
            banReason: ban?.reason ?? ""
        )
    }

    mutating func add(_ address: Multiaddr, to peer: PeerID) {
        let address = address.expecting(peer)
        var present = entries[peer, default: Entry()].addresses
        guard !present.contains(address) else { return }
        if present.count >= limits.addressesPerPeerMax { present.removeLast() }
        present.append(address)
        entries[peer, default: Entry()].addresses = present
    }

    /// Puts an address that worked before the others.
    mutating func prefer(_ address: Multiaddr, of peer: PeerID) {
        let others = addresses(of: peer).filter { $0 != address }
        entries[peer, default: Entry()].addresses =
            [address] + others.prefix(limits.addressesPerPeerMax - 1)
    }

    /// How many peers are at `place`, and how many are there or near it.
    private func countPeers(at place: IPAddress) -> (there: Int, near: Int) {
        entries.values.reduce(into: (0, 0)) { count, entry in
            let near = entry.addresses.compactMap(\.ipAddress).filter { $0.isNeighbour(of: place) }
            if near.contains(place) { count.0 += 1 }
            if !near.isEmpty { count.1 += 1 }
        }
    }

    /// Answers whether a peer at these addresses may come into the book, and lets another go
    /// where it is full.
    mutating func makeRoom(for addresses: some Collection<Multiaddr>) -> Bool {
        for address in addresses {
            // On this machine a whole market may run, and no stranger is.
            guard let place = address.ipAddress, place.reach != .machine else { continue }
            let count = countPeers(at: place)
            guard count.there < limits.peersPerAddressMax, count.near < limits.peersPerSubnetMax
            else { return false }
        }
        guard entries.count >= limits.peersMax else { return true }
        let worst = entries.filter { peer, entry in
            !entry.isBootstrap && links[peer] == nil && !entry.isDialling
        }.min { left, right in
            let one = (left.value.lastSuccess == nil ? 0 : 1, -left.value.failures, left.key)
            let other = (right.value.lastSuccess == nil ? 0 : 1, -right.value.failures, right.key)
            return one < other
        }
        guard let worst else { return false }
        entries[worst.key] = nil
        return true
    }
}
