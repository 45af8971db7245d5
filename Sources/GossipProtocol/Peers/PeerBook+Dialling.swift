package import Market

/// The choice of peers and addresses to dial, and when.
extension PeerBook {
    /// Chooses the peers to dial now.
    ///
    /// Peers of the configuration come first, then those reached before, then those that other
    /// peers reported, with the sources taking turns. Within each of these the order is random.
    mutating func dials(at now: Moment) -> [Directive] {
        // Peers of the configuration are dialled however many links there are.
        let bootstraps = ready(at: now, isBootstrap: true).sorted().prefix(limits.dialsMax)
        var directives = bootstraps.compactMap { dial($0, at: now) }
        guard freeDials > 0, !budget.isSpent(at: now) else { return directives }
        let others = ready(at: now, isBootstrap: false).sorted().shuffled(using: &random)
        let known = others.filter { entries[$0]?.wasReached == true }
        let unknown = takingTurns(others.filter { entries[$0]?.wasReached == false })
        arePeersWaiting = false
        for peer in known + unknown {
            guard freeDials > 0, !budget.isSpent(at: now) else {
                arePeersWaiting = true
                break
            }
            if let directive = dial(peer, at: now) { directives.append(directive) }
        }
        return directives
    }

    /// Orders peers so that the sources that reported them take turns.
    ///
    /// The source whose last turn was longest ago comes first, so a source that reports many dead
    /// addresses delays the others by at most one of them.
    private func takingTurns(_ peers: [PeerID]) -> [PeerID] {
        var queues: [AddressGroup?: [PeerID]] = [:]
        var order: [AddressGroup?] = []
        for peer in peers {
            let source = nextSource(of: peer)
            if queues[source] == nil { order.append(source) }
            queues[source, default: []].append(peer)
        }
        // The order among those without a turn stays random.
        let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
        func rank(_ source: AddressGroup?) -> (Moment, Int) {
            let never = Moment(sinceStart: .seconds(Int64.min / 2))
            return (budget.lastTurn(of: source) ?? never, places[source] ?? 0)
        }
        order.sort { rank($0) < rank($1) }
        let longest = queues.values.map(\.count).max() ?? 0
        return (0..<longest).flatMap { round in
            order.compactMap { source in
                queues[source].flatMap { round < $0.count ? $0[round] : nil }
            }
        }
    }

    /// Among the sources that reported a peer's addresses, the one whose last turn was longest ago.
    private func nextSource(of peer: PeerID) -> AddressGroup? {
        var next: (source: AddressGroup?, turn: Moment)?
        for place in entries[peer]?.places ?? [] {
            guard case .reported(let source, _) = place.origin else { continue }
            guard let turn = budget.lastTurn(of: source.turn) else { return source.turn }
            if next.map({ turn < $0.turn }) ?? true { next = (source.turn, turn) }
        }
        return next?.source
    }

    /// Dials a peer with new addresses, if more links are wanted.
    ///
    /// The other peers wait for the next tick, so that a peer that reports many addresses cannot
    /// make this node walk its book for each; while others wait, so does this one.
    mutating func dialSoon(_ peer: PeerID, at now: Moment) -> [Directive] {
        guard let entry = entries[peer], isReady(peer, entry, at: now) else { return [] }
        guard freeDials > 0, !arePeersWaiting, !budget.isSpent(at: now) else {
            arePeersWaiting = true
            return []
        }
        return dial(peer, at: now).map { [$0] } ?? []
    }

    /// How long each address of a peer may take to answer; `nil` for as long as a link may take.
    ///
    /// While others wait, reported addresses get less time, because they may all be dead.
    package func patience(with peer: PeerID) -> Duration? {
        guard arePeersWaiting, let entry = entries[peer], !entry.isBootstrap, !entry.wasReached
        else { return nil }
        return limits.hurriedDialMax
    }

    /// How many more links are wanted: in all, or of those that this node dials itself, so that
    /// peers that dial it cannot surround it.
    package var linksMissing: Int {
        let outbound = links.values.count { $0.direction == .outbound }
        return max(limits.linksWanted - links.count, limits.dialledWanted - outbound, 0)
    }

    /// How many more dials may run now.
    private var freeDials: Int { min(limits.dialsMax, linksMissing) - dialling.count }

    private func ready(at now: Moment, isBootstrap: Bool) -> [PeerID] {
        entries.all.lazy.filter { peer, entry in
            entry.isBootstrap == isBootstrap && isReady(peer, entry, at: now)
        }
        .map(\.key)
    }

    private func isReady(_ peer: PeerID, _ entry: Entry, at now: Moment) -> Bool {
        links[peer] == nil && dialling[peer] == nil && entry.dialAfter <= now
            && !entry.places.isEmpty && ban(of: peer, at: now) == nil
    }

    /// Starts a dial of the addresses that are due; `nil` if there are none.
    private mutating func dial(_ peer: PeerID, at now: Moment) -> Directive? {
        guard let entry = entries[peer] else { return nil }
        var chosen: [Multiaddr] = []
        for place in entry.places where chosen.count < addressesMax(of: entry) {
            if mayDial(place, at: now) { chosen.append(place.address) }
        }
        guard !chosen.isEmpty else { return nil }
        dialling[peer] = chosen
        let names = chosen.filter { $0.ipAddress == nil }
        return names.isEmpty ? .dial(peer, chosen) : .resolve(peer, names)
    }

    /// How many addresses of a peer are tried in one dial, since each may take long to fail.
    private func addressesMax(of entry: Entry) -> Int {
        entry.isBootstrap || entry.wasReached
            ? limits.addressesPerPeerMax : limits.addressesPerDialMax
    }

    private mutating func mayDial(_ place: KnownAddress, at now: Moment) -> Bool {
        if case .configuration = place.origin {
            budget.takeOwn(at: now)
            return true
        }
        guard !isBanned(place.address, at: now) else { return false }
        return switch place.origin {
        case .configuration: true
        case .reached: budget.takeKnown(at: now)
        case .reported(let source, _): budget.take(place.address, by: source, at: now)
        }
    }

    /// Continues a dial once its names are resolved.
    ///
    /// It dials the resolved addresses, so that a second answer by a name server cannot change
    /// them.
    mutating func resolved(
        _ peer: PeerID,
        _ found: [Multiaddr: [IPAddress]],
        at now: Moment
    ) -> [Directive] {
        guard let entry = entries[peer], let dialled = dialling[peer] else { return [] }
        var targets: [Multiaddr] = []
        for (index, place) in entry.places.enumerated() where dialled.contains(place.address) {
            guard place.address.ipAddress == nil else {
                targets.append(place.address)
                continue
            }
            let ipAddresses = found[place.address, default: []].prefix(limits.addressesPerNameMax)
            var led: [IPAddress] = []
            for ipAddress in ipAddresses where targets.count < addressesMax(of: entry) {
                let target = place.address.at(ipAddress)
                guard !targets.contains(target), mayDial(ipAddress, target, place, at: now) else {
                    continue
                }
                targets.append(target)
                led.append(ipAddress)
            }
            entries[peer]?.places[index].resolved = led
        }
        dialling[peer] = dialled + targets
        return targets.isEmpty ? fail(peer, [:], at: now) : [.dial(peer, targets)]
    }

    /// Whether an address that a name resolved to may be dialled, by the rules for addresses.
    private mutating func mayDial(
        _ ipAddress: IPAddress,
        _ target: Multiaddr,
        _ place: KnownAddress,
        at now: Moment
    ) -> Bool {
        guard case .reported(_, let floor) = place.origin else { return true }
        return ipAddress.reach >= floor && !isBanned(target, at: now)
            && (place.resolved.contains(ipAddress) || hasRoom(at: ipAddress))
            && budget.takeTarget(target, at: now)
    }

    /// Ends a dial that failed, or reached `others` than the expected peer.
    mutating func fail(
        _ peer: PeerID,
        _ others: [Multiaddr: PeerID],
        at now: Moment
    ) -> [Directive] {
        let dialled = dialling.removeValue(forKey: peer) ?? []
        guard let entry = entries[peer] else { return [] }
        let trusted = entry.places.filter { !$0.isReported }.map(\.address)
        for address in dialled where !trusted.contains(address) && others[address] == nil {
            budget.fail(address, at: now)
        }
        // If another peer answers there, the peer is not there, whatever was reported.
        entries[peer]?.places.removeAll { $0.isReported && others[$0.address] != nil }
        if entries[peer]?.places.isEmpty == true { entries[peer] = nil }
        entries[peer]?.failures += 1
        entries[peer]?.lastFailure = now
        postpone(peer, at: now)
        return [.keep(peer)]
            + others.sorted { $0.key.description < $1.key.description }
            .flatMap { dial($0.value, whoAnswered: $0.key, at: now) }
    }

    /// Dials the peer that answered instead of another, if the book has it there.
    ///
    /// A false peer id for an address must not keep this node from the real peer there.
    private mutating func dial(
        _ peer: PeerID,
        whoAnswered address: Multiaddr,
        at now: Moment
    ) -> [Directive] {
        budget.succeed(address)
        let target = address.expecting(peer)
        guard freeDials > 0, let entry = entries[peer], isReady(peer, entry, at: now),
            entry.places.contains(where: { $0.address == target }), !isBanned(target, at: now),
            budget.takeKnown(at: now)
        else { return [] }
        dialling[peer] = [target]
        return [.dial(peer, [target])]
    }

    /// Postpones the next dial, longer after each failure, with a random part against synchrony.
    mutating func postpone(_ peer: PeerID, at now: Moment) {
        let doublings = min(entries[peer]?.failures ?? 0, 12)
        let isBootstrap = entries[peer]?.isBootstrap ?? false
        let waitMax = isBootstrap ? limits.bootstrapRetryMax : limits.retryMax
        let wait = min(limits.retryMin * (1 << doublings), waitMax)
        let percent = Int(50 + random.next() % 101)
        entries[peer]?.dialAfter = now + wait * percent / 100
    }
}
