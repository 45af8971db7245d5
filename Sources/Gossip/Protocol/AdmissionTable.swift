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
        /// `nil` for a socket that this node opened.
        let source: IPAddress?
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
        guard let source else {
            let links = entries.values.filter { $0.isOpen || $0.source == nil }
            return links.count < limits.linksMax ? admit(nil, evicting: nil) : .refused(.links)
        }
        guard linkCount(from: source) < limits.linksMax(from: source) else {
            return .refused(.linksOfOneAddress)
        }
        return admit(source, evicting: victim(for: source))
    }

    /// Makes a socket whose handshake is done a link; `false` if its address has too many.
    package mutating func open(_ id: UInt64) -> Bool {
        guard let entry = entries[id] else { return false }
        if let source = entry.source, linkCount(from: source) >= limits.linksMax(from: source) {
            return false
        }
        entries[id]?.isOpen = true
        return true
    }

    /// Forgets a socket that is closed.
    package mutating func end(_ id: UInt64) {
        entries[id] = nil
    }

    private var handshakes: [(id: UInt64, source: IPAddress)] {
        entries.compactMap { id, entry in
            guard !entry.isOpen, let source = entry.source else { return nil }
            return (id, source)
        }
    }

    private func linkCount(from source: IPAddress) -> Int {
        let group = AddressGroup(source)
        return entries.values.count { $0.isOpen && $0.source.map(AddressGroup.init) == group }
    }

    private mutating func admit(_ source: IPAddress?, evicting victim: UInt64?) -> Decision {
        if let victim { entries[victim] = nil }
        entriesMade += 1
        entries[entriesMade] = Entry(source: source)
        return .admitted(entriesMade, evicted: victim)
    }

    /// The handshake that has to go before one from `source` begins, if one has to.
    private func victim(for source: IPAddress) -> UInt64? {
        let all = handshakes
        let group = AddressGroup(source)
        let own = all.filter { AddressGroup($0.source) == group }
        if own.count >= limits.handshakesMax(from: source) { return own.map(\.id).min() }
        let near = all.filter { AddressGroup($0.source).subnet == group.subnet }
        if source.reach != .machine, near.count >= limits.handshakesOfOneSubnetMax {
            return oldestOfTheGreediest(near)
        }
        return all.count >= limits.handshakesMax ? oldestOfTheGreediest(all) : nil
    }

    private func oldestOfTheGreediest(_ sockets: [(id: UInt64, source: IPAddress)]) -> UInt64? {
        let byGroup = Dictionary(grouping: sockets) { AddressGroup($0.source) }
            .mapValues { (count: $0.count, oldest: $0.map(\.id).min() ?? .max) }
        return byGroup.values.min { ($1.count, $0.oldest) < ($0.count, $1.oldest) }?.oldest
    }
}

extension LinkLimits {
    /// On this machine a whole market may run, and no stranger is.
    fileprivate func linksMax(from source: IPAddress) -> Int {
        source.reach == .machine ? linksOfThisMachineMax : linksOfOneAddressMax
    }

    fileprivate func handshakesMax(from source: IPAddress) -> Int {
        source.reach == .machine ? handshakesMax : handshakesOfOneAddressMax
    }
}
