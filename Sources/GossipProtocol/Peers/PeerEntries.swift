import Market

/// The entries of a peer book, indexed by address and subnet.
///
/// Every change of an entry goes through it, so the indexes always match the entries, and counting
/// them needs no walk over the book.
struct PeerEntries: Sendable {
    private(set) var all: [PeerID: PeerBook.Entry] = [:]
    /// Peers of which only host names are known, without those of the configuration.
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

    /// Returns the peers that may be at an address.
    func peers(at group: AddressGroup) -> Set<PeerID> { byGroup[group] ?? [] }

    /// Returns the peers that may be in the subnet of an address.
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
    /// The groups of its addresses, without this machine, which has no limit.
    fileprivate var groups: Set<AddressGroup> {
        Set(places.flatMap(\.ipAddresses).filter { $0.reach != .machine }.map { AddressGroup($0) })
    }

    fileprivate var isNamedOnly: Bool { !isBootstrap && places.allSatisfy(\.ipAddresses.isEmpty) }
}
