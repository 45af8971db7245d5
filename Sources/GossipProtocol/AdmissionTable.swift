/// Decides which sockets may be in their handshakes and which may become links.
///
/// Pure: it owns no socket. A handshake costs its initiator nothing, so a full table does not
/// refuse a new one: it evicts the oldest handshake of the address that has the most, in the subnet
/// that has the most. Links are
/// limited by address here; ``InboundMerit`` chooses which links end when there are too many in
/// all.
///
/// Source: Docs/protocol.md, section 7.5.
package struct AdmissionTable: Sendable {
    package enum Decision: Equatable, Sendable {
        /// Begin the handshake, and end the socket `evicted` to make room for it.
        case admitted(UInt64, evicted: UInt64?)
        case refused(LinkLimit)
    }

    private struct Entry {
        /// The group of the remote address; `nil` for a socket that this node opened.
        let group: AddressGroup?
        /// Whether this node opened it to an address that another peer reported.
        var isReported = false
        var isOpen = false
    }

    private let limits: LinkLimits
    /// The keys rise, so the smallest is the oldest.
    private var entries: [UInt64: Entry] = [:]
    private var entriesMade: UInt64 = 0

    package init(limits: LinkLimits) {
        self.limits = limits
    }

    /// The number of accepted sockets in their handshakes.
    package var handshakeCount: Int { handshakes.count }

    /// The number of links and handshakes of both directions.
    package var count: Int { entries.count }

    /// Admits a new socket, accepted from `source` or, if that is `nil`, opened by this node.
    package mutating func begin(from source: IPAddress?) -> Decision {
        guard let group = source.map(AddressGroup.init) else {
            let count = entries.values.count { $0.isOpen || ($0.group == nil && !$0.isReported) }
            return count < limits.linksMax ? admit(nil) : .refused(.links)
        }
        guard linkCount(from: group) < limits.linksMax(from: group) else {
            return .refused(.linksOfOneAddress)
        }
        return admit(group, evicting: victim(for: group))
    }

    /// Admits a socket that this node opens to an address that another peer reported.
    ///
    /// Only few of them run at a time, separate from this node's own dials: however long they take
    /// to fail, they delay no own dial.
    package mutating func beginReported() -> Decision {
        let count = entries.values.count { $0.isReported && !$0.isOpen }
        return count < limits.reportedDialsMax
            ? admit(nil, isReported: true) : .refused(.reportedDials)
    }

    /// Turns a finished handshake into a link; returns the limit that forbids it, if one does.
    ///
    /// That happens if the handshake was evicted before it finished, or its address has too many
    /// links.
    package mutating func open(_ id: UInt64) -> LinkLimit? {
        guard let entry = entries[id] else { return .handshakes }
        if let group = entry.group, linkCount(from: group) >= limits.linksMax(from: group) {
            return .linksOfOneAddress
        }
        entries[id]?.isOpen = true
        return nil
    }

    /// Removes a closed socket.
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
        isReported: Bool = false,
        evicting victim: UInt64? = nil
    ) -> Decision {
        if let victim { entries[victim] = nil }
        entriesMade += 1
        entries[entriesMade] = Entry(group: group, isReported: isReported)
        return .admitted(entriesMade, evicted: victim)
    }

    /// Returns the handshake to evict before one of `group` begins, if one must go.
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
        let subnet = Self.greediest(of: sockets) { $0.group.wholeSubnet }
        return Self.greediest(of: subnet, by: \.group).map(\.id).min()
    }

    /// Returns the sockets of the largest part; among equally large parts, of the one with the
    /// oldest socket.
    private static func greediest(
        of sockets: [(id: UInt64, group: AddressGroup)],
        by part: ((id: UInt64, group: AddressGroup)) -> AddressGroup
    ) -> [(id: UInt64, group: AddressGroup)] {
        func order(_ some: [(id: UInt64, group: AddressGroup)]) -> (Int, UInt64) {
            (-some.count, some.map(\.id).min() ?? .max)
        }
        return Dictionary(grouping: sockets, by: part).values.min { order($0) < order($1) } ?? []
    }
}

extension LinkLimits {
    /// A whole market may run on this machine, and its processes are trusted.
    fileprivate func linksMax(from group: AddressGroup) -> Int {
        group.isOfThisMachine ? linksOfThisMachineMax : linksOfOneAddressMax
    }

    fileprivate func handshakesMax(from group: AddressGroup) -> Int {
        group.isOfThisMachine ? handshakesMax : handshakesOfOneAddressMax
    }
}
