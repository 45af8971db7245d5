import Market

/// Whom to dial, when, and where.
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
        var directives = bootstraps.compactMap { dial($0, at: now) }
        var free = min(limits.dialsMax, max(wanted, 0)) - running - directives.count
        guard free > 0, !budget.isSpent(at: now) else { return directives }
        let others = ready(at: now, isBootstrap: false).sorted().shuffled(using: &random)
        let known = others.filter { entries[$0]?.wasReached == true }
        let unknown = others.filter { entries[$0]?.wasReached == false }
        for peer in known + unknown where free > 0 {
            guard let directive = dial(peer, at: now) else { continue }
            directives.append(directive)
            free -= 1
        }
        return directives
    }

    private func ready(at now: Moment, isBootstrap: Bool) -> [PeerID] {
        entries.filter { peer, entry in
            entry.isBootstrap == isBootstrap && links[peer] == nil && !entry.isDialling
                && entry.dialAfter <= now && !entry.places.isEmpty
                && ban(of: peer, at: now) == nil
        }
        .map(\.key)
    }

    /// Begins a dial of those addresses whose turn it is; `nil` if there are none.
    private mutating func dial(_ peer: PeerID, at now: Moment) -> Directive? {
        guard let entry = entries[peer] else { return nil }
        let countMax =
            entry.isBootstrap || entry.wasReached
            ? limits.addressesPerPeerMax : limits.addressesPerDialMax
        var chosen: [Multiaddr] = []
        for place in entry.places where chosen.count < countMax {
            if mayDial(place, at: now) { chosen.append(place.address) }
        }
        guard !chosen.isEmpty else { return nil }
        entries[peer]?.isDialling = true
        entries[peer]?.dialled = chosen
        let names = chosen.filter { $0.ipAddress == nil }
        return names.isEmpty ? .dial(peer, chosen) : .resolve(peer, names)
    }

    private mutating func mayDial(_ place: Place, at now: Moment) -> Bool {
        if case .configuration = place.origin {
            budget.takeOwn(at: now)
            return true
        }
        guard !isBanned(place.address, at: now) else { return false }
        return switch place.origin {
        case .configuration: true
        case .reached: budget.takeKnown(at: now)
        case .told(let source, _): budget.take(place.address, by: source, at: now)
        }
    }

    /// Goes on with a dial once its names are looked up: the addresses themselves are dialled, so
    /// that no second answer of a name server can lead elsewhere.
    mutating func resolved(
        _ peer: PeerID,
        _ found: [Multiaddr: [IPAddress]],
        at now: Moment
    ) -> [Directive] {
        guard let entry = entries[peer], entry.isDialling else { return [] }
        var targets: [Multiaddr] = []
        for (index, place) in entry.places.enumerated()
        where entry.dialled.contains(place.address) {
            guard place.address.ipAddress == nil else {
                targets.append(place.address)
                continue
            }
            let ipAddresses = found[place.address, default: []].prefix(limits.addressesPerNameMax)
            var led: [IPAddress] = []
            for ipAddress in ipAddresses {
                let target = place.address.at(ipAddress)
                guard !targets.contains(target), mayDial(ipAddress, target, place, at: now) else {
                    continue
                }
                targets.append(target)
                led.append(ipAddress)
            }
            entries[peer]?.places[index].resolved = led
        }
        entries[peer]?.dialled += targets
        return targets.isEmpty ? fail(peer, at: now) : [.dial(peer, targets)]
    }

    /// Whether what a name led to may be dialled: the same rules as for addresses.
    private mutating func mayDial(
        _ ipAddress: IPAddress,
        _ target: Multiaddr,
        _ place: Place,
        at now: Moment
    ) -> Bool {
        guard case .told(_, let floor) = place.origin else { return true }
        return ipAddress.reach >= floor && !isBanned(target, at: now)
            && (place.resolved.contains(ipAddress) || hasRoom(at: ipAddress))
            && budget.takeTarget(target, at: now)
    }

    mutating func fail(_ peer: PeerID, at now: Moment) -> [Directive] {
        guard let entry = entries[peer] else { return [] }
        let trusted = entry.places.filter { place in
            if case .told = place.origin { false } else { true }
        }
        for address in entry.dialled where !trusted.contains(where: { $0.address == address }) {
            budget.fail(address, at: now)
        }
        entries[peer]?.dialled = []
        entries[peer]?.isDialling = false
        entries[peer]?.failures += 1
        entries[peer]?.lastFailure = now
        postpone(peer, at: now)
        return [.keep(peer)]
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
}
