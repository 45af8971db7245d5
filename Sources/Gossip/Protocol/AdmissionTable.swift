/// Decides which sockets may be in their handshakes and which may become links.
///
/// Pure: it owns no socket. A handshake costs a stranger nothing, so a full table never refuses one
/// for another's sake: the oldest handshake of the address that holds the most makes room. Links
/// are limited by address; which of them go when there are too many in all is for
/// ``InboundMerit``.
///
/// Source: Docs/protocol.md, section 7.5.
package struct AdmissionTable: Sendable {
    package enum Decision: Equatable, Sendable {
        /// Begin the handshake; `evicted` has to be ended to make room for it.
        case admitted(UInt64, evicted: UInt64?)
        case refused(LinkLimit)
    }

    private struct Entry {
        /// Where the socket comes from; `nil` for one that this node opened.
        let group: AddressGroup?
        /// Whether this node opened it on a stranger's word.
        var isTold = false
        var isOpen = false
    }

    private let limits: LinkLimits
    /// By rising numbers, so that the least is the oldest.
    private var entries: [UInt64: Entry] = [:]
    private var entriesMade: UInt64 = 0

    package init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Sockets of others that are in their handshakes.
    package var handshakeCount: Int { handshakes.count }

    /// Links and sockets in their handshakes, of both directions.
    package var count: Int { entries.count }

    /// Takes a new socket, from `source` or, if that is `nil`, opened by this node.
    package mutating func begin(from source: IPAddress?) -> Decision {
        guard let group = source.map(AddressGroup.init) else {
            let count = entries.values.count { $0.isOpen || ($0.group == nil && !$0.isTold) }
            return count < limits.linksMax ? admit(nil) : .refused(.links)
        }
        guard linkCount(from: group) < limits.linksMax(from: group) else {
            return .refused(.linksOfOneAddress)
        }
        return admit(group, evicting: victim(for: group))
    }

    /// Takes a socket that this node opens on a stranger's word.
    ///
    /// There are few of them at a time, apart from this node's own: however long they take to fail,
    /// they keep no own dial waiting.
    package mutating func beginTold() -> Decision {
        let count = entries.values.count { $0.isTold && !$0.isOpen }
        return count < limits.toldDialsMax ? admit(nil, isTold: true) : .refused(.toldDials)
    }

    /// Makes a socket whose handshake is done a link; answers why not, if it had to make room
    /// meanwhile or its address has too many.
    package mutating func open(_ id: UInt64) -> LinkLimit? {
        guard let entry = entries[id] else { return .handshakes }
        if let group = entry.group, linkCount(from: group) >= limits.linksMax(from: group) {
            return .linksOfOneAddress
        }
        entries[id]?.isOpen = true
        return nil
    }

    /// Forgets a socket that is closed.
    package mutating func end(_ id: UInt64) {
        entries[id] = nil
    }

    private var handshakes: [(id: UInt64, group: AddressGroup)] {
        entries.compactMap { id, entry in
            guard !entry.isOpen, let group = entry.group else { return nil }
            return (id, group)
        }
    }

    private func linkCount(from group: AddressGroup) -> Int {
        entries.values.count { $0.isOpen && $0.group == group }
    }

    private mutating func admit(
        _ group: AddressGroup?,
        isTold: Bool = false,
        evicting victim: UInt64? = nil
    ) -> Decision {
        if let victim { entries[victim] = nil }
        entriesMade += 1
        entries[entriesMade] = Entry(group: group, isTold: isTold)
        return .admitted(entriesMade, evicted: victim)
    }

    /// The handshake that has to go before one of `group` begins, if one has to.
    private func victim(for group: AddressGroup) -> UInt64? {
        let all = handshakes
        let own = all.filter { $0.group == group }
        if own.count >= limits.handshakesMax(from: group) { return own.map(\.id).min() }
        let near = all.filter { $0.group.isNear(group) }
        if !group.isOfThisMachine, near.count >= limits.handshakesOfOneSubnetMax {
            return oldestOfTheGreediest(near)
        }
        return all.count >= limits.handshakesMax ? oldestOfTheGreediest(all) : nil
    }

    private func oldestOfTheGreediest(_ sockets: [(id: UInt64, group: AddressGroup)]) -> UInt64? {
        let byGroup = Dictionary(grouping: sockets, by: \.group)
            .mapValues { (count: $0.count, oldest: $0.map(\.id).min() ?? .max) }
        return byGroup.values.min { ($1.count, $0.oldest) < ($0.count, $1.oldest) }?.oldest
    }
}

extension LinkLimits {
    /// On this machine a whole market may run, and no stranger is.
    fileprivate func linksMax(from group: AddressGroup) -> Int {
        group.isOfThisMachine ? linksOfThisMachineMax : linksOfOneAddressMax
    }

    fileprivate func handshakesMax(from group: AddressGroup) -> Int {
        group.isOfThisMachine ? handshakesMax : handshakesOfOneAddressMax
    }
}
