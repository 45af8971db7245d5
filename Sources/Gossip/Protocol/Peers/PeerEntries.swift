import Market

/// The peers of a book, and which of them are at each address and near it.
///
/// Every change of an entry goes through here, so that the addresses are always those of the
/// entries, and nobody has to walk the book to count them.
struct PeerEntries: Sendable {
    private(set) var all: [PeerID: PeerBook.Entry] = [:]
    /// Peers of whom nothing but names is known, without those of the configuration.
    private(set) var namedCount = 0
    private var byGroup: [AddressGroup: Set<PeerID>] = [:]
    private var bySubnet: [[UInt8]: Set<PeerID>] = [:]

    var count: Int { all.count }

    subscript(peer: PeerID) -> PeerBook.Entry? {
        get { all[peer] }
        set {
            let old = all[peer]
            all[peer] = newValue
            guard old?.places != newValue?.places || old?.isBootstrap != newValue?.isBootstrap
            else { return }
            if let old { remove(peer, old) }
            if let newValue { insert(peer, newValue) }
        }
    }

    subscript(
        peer: PeerID,
        default entry: @autoclosure () -> PeerBook.Entry
    ) -> PeerBook.Entry {
        get { self[peer] ?? entry() }
        set { self[peer] = newValue }
    }

    /// Peers that may be at an address, by what is known of them.
    func peers(at group: AddressGroup) -> Set<PeerID> { byGroup[group] ?? [] }

    /// Peers that may be in the subnet of an address.
    func peers(near group: AddressGroup) -> Set<PeerID> { bySubnet[group.subnet] ?? [] }

    private mutating func insert(_ peer: PeerID, _ entry: PeerBook.Entry) {
        if entry.isNamedOnly { namedCount += 1 }
        for group in entry.groups {
            byGroup[group, default: []].insert(peer)
            bySubnet[group.subnet, default: []].insert(peer)
        }
    }

    private mutating func remove(_ peer: PeerID, _ entry: PeerBook.Entry) {
        if entry.isNamedOnly { namedCount -= 1 }
        for group in entry.groups {
            byGroup[group]?.remove(peer)
            if byGroup[group]?.isEmpty == true { byGroup[group] = nil }
            bySubnet[group.subnet]?.remove(peer)
            if bySubnet[group.subnet]?.isEmpty == true { bySubnet[group.subnet] = nil }
        }
    }
}

extension PeerBook.Entry {
    /// Where it may be, but for this machine, where a whole market may run and no stranger is.
    fileprivate var groups: Set<AddressGroup> {
        Set(places.flatMap(\.ipAddresses).filter { $0.reach != .machine }.map { AddressGroup($0) })
    }

    fileprivate var isNamedOnly: Bool { !isBootstrap && places.allSatisfy(\.ipAddresses.isEmpty) }
}
