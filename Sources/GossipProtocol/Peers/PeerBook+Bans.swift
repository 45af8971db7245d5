package import Market

/// Bans of peers by key, and of addresses, since keys cost nothing to make.
extension PeerBook {
    /// Returns the ban of `peer`, if it is banned now.
    package func ban(of peer: PeerID, at now: Moment) -> (until: Moment, reason: String)? {
        guard let ban = bans[peer], ban.until > now else { return nil }
        return (ban.until, ban.reason)
    }

    /// Returns the peers that are banned now.
    package func banned(at now: Moment) -> [PeerID] {
        bans.filter { $0.value.until > now }.keys.sorted()
    }

    /// Returns the addresses that are banned now.
    package func bannedAddresses(at now: Moment) -> [AddressGroup] {
        addressBans.filter { $0.value.until > now }.keys.sorted()
    }

    /// Whether the book has accepted a link to this peer.
    package func isLinked(_ peer: PeerID) -> Bool { links[peer] != nil }

    func isBanned(_ address: Multiaddr, at now: Moment) -> Bool {
        AddressGroup(of: address).flatMap { addressBans[$0] }.map { $0.until > now } ?? false
    }

    /// Returns the directives for a link of a banned peer or address; `nil` for any other.
    ///
    /// Peers of the configuration are accepted from any address.
    func refuse(_ info: LinkInfo, at now: Moment) -> [Directive]? {
        let peer = info.peer
        if let ban = ban(of: peer, at: now) { return [.disconnect(peer, reason: ban.reason)] }
        guard !isOwn(peer), let group = AddressGroup(of: info.address),
            let ban = addressBans[group],
            ban.until > now
        else { return nil }
        return [.disconnect(peer, reason: ban.reason)]
    }

    /// Charges a banned peer's address for its new link, since each costs a handshake.
    mutating func chargeComingBack(_ info: LinkInfo, at now: Moment) -> [Directive] {
        guard let ban = ban(of: info.peer, at: now) else { return [] }
        let weight = OffenceTolerance.high.weight
        return charge(AddressGroup(of: info.address), weight, for: ban.reason, at: now)
    }

    mutating func note(
        _ offence: PeerOffence,
        by peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        // Its link is being closed; offences before that do not count twice.
        guard ban(of: peer, at: now) == nil else { return [] }
        let weight = offence.tolerance.weight
        let group = isOwn(peer) ? nil : links[peer].flatMap { AddressGroup(of: $0.address) }
        var directives: [Directive] = []
        if demerits.add(weight, to: peer, at: now) >= OffenceTolerance.none.weight {
            demerits.remove(peer)
            directives += ban(peer, for: limits.banLife, reason: offence.name, at: now)
        }
        return directives + charge(group, weight, for: offence.name, at: now)
    }

    mutating func ban(
        _ peer: PeerID,
        for life: Duration,
        reason: String,
        at now: Moment
    ) -> [Directive] {
        guard life > .zero else { return forgive(peer) }
        if bans[peer] == nil, bans.count >= limits.bansMax,
            let soonest = bans.min(by: { ($0.value.until, $0.key) < ($1.value.until, $1.key) })
        {
            bans[soonest.key] = nil
        }
        bans[peer] = Ban(until: now + life, reason: reason)
        let isLinked = links[peer] != nil
        return [.keep(peer), .banned(peer, reason: reason)]
            + (isLinked ? [.disconnect(peer, reason: reason)] : [])
    }

    /// Removes expired entries.
    mutating func forget(at now: Moment) -> [Directive] {
        bans = bans.filter { $0.value.until > now }
        demerits.expire(at: now)
        addressDemerits.expire(at: now)
        budget.expire(at: now)
        let ended = addressBans.filter { $0.value.until <= now }.keys.sorted()
        if ended.isEmpty { return [] }
        for group in ended { addressBans[group] = nil }
        return [.refuse(Set(addressBans.keys))] + ended.map { .keepBan($0) }
    }

    /// Lifts the ban of a peer, and those of its addresses.
    private mutating func forgive(_ peer: PeerID) -> [Directive] {
        bans[peer] = nil
        let groups = Set(addresses(of: peer).compactMap(AddressGroup.init(of:)))
        let lifted = groups.filter { addressBans[$0] != nil }.sorted()
        if lifted.isEmpty { return [.keep(peer)] }
        for group in lifted { addressBans[group] = nil }
        return [.keep(peer), .refuse(Set(addressBans.keys))] + lifted.map { .keepBan($0) }
    }

    /// Begins again a ban that was kept over a restart.
    ///
    /// It lasts no longer than a new one, even if the clock was set back.
    mutating func remember(
        _ note: AddressBanNote,
        _ unixTime: Int64,
        at now: Moment
    ) -> [Directive] {
        guard let until = note.until, until > unixTime, addressBans.count < limits.bansMax else {
            return [.keepBan(note.group)]
        }
        let life = min(.seconds(until - unixTime), limits.addressBanLife)
        addressBans[note.group] = Ban(until: now + life, reason: note.reason)
        return [.refuse(Set(addressBans.keys))]
    }

    /// Returns the state of an address's ban to store over a restart.
    package func banNote(
        of group: AddressGroup,
        unixTime: Int64,
        at now: Moment
    ) -> AddressBanNote {
        guard let ban = addressBans[group], ban.until > now else {
            return AddressBanNote(group: group, until: nil, reason: "")
        }
        let rest = (ban.until.sinceStart - now.sinceStart).components.seconds
        return AddressBanNote(group: group, until: unixTime + rest, reason: ban.reason)
    }

    /// Charges an address with an offence by a peer there.
    private mutating func charge(
        _ group: AddressGroup?,
        _ weight: Int,
        for reason: String,
        at now: Moment
    ) -> [Directive] {
        guard let group, addressBans[group].map({ $0.until <= now }) ?? true,
            addressDemerits.add(weight, to: group, at: now) >= limits.addressWeightMax
        else { return [] }
        addressDemerits.remove(group)
        var directives: [Directive] = [.bannedAddress(group, reason: reason), .keepBan(group)]
        if addressBans[group] == nil, addressBans.count >= limits.bansMax,
            let soonest = addressBans.min(by: {
                ($0.value.until, $0.key) < ($1.value.until, $1.key)
            })
        {
            addressBans[soonest.key] = nil
            directives.append(.keepBan(soonest.key))
        }
        addressBans[group] = Ban(until: now + limits.addressBanLife, reason: reason)
        let there = links.values.filter { info in
            AddressGroup(of: info.address) == group && bans[info.peer] == nil
                && !isOwn(info.peer)
        }
        return directives + [.refuse(Set(addressBans.keys))]
            + there.map(\.peer).sorted().map { .disconnect($0, reason: reason) }
    }
}
