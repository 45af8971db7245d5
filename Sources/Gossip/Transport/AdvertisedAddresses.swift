import GossipProtocol
import Market

/// The addresses that this node announces to peers for dialling it.
///
/// Pure: the caller passes in the machine's addresses.
struct AdvertisedAddresses: Sendable {
    /// More addresses help no peer, and the signed record of them must stay short.
    static let addressesMax = 8

    let peer: PeerID
    /// Where the node's sockets listen.
    var listening: [Multiaddr] = []
    /// Addresses that the operator announces instead.
    var announced: [Multiaddr] = []
    private(set) var addresses: [Multiaddr] = []
    /// Increases with each change and with the time, so that peers trust the newer of two records.
    private(set) var sequence: UInt64

    /// `startedAt` is in seconds of Unix time.
    init(peer: PeerID, startedAt: Int64) {
        self.peer = peer
        sequence = PeerRecord.sequence(at: startedAt)
    }

    /// Takes the time, in seconds of Unix time, at which a record is made.
    mutating func look(at seconds: Int64) {
        sequence = max(sequence, PeerRecord.sequence(at: seconds))
    }

    /// Computes the addresses again from the machine's current ones.
    mutating func look(at machine: [IPAddress]) {
        var found = announced
        if found.isEmpty {
            for socket in listening {
                for address in Self.dialled(socket, peer, by: machine)
                where !found.contains(address) { found.append(address) }
            }
            found.sort { ($0.reach, $1.description) > ($1.reach, $0.description) }
        }
        found = Array(found.prefix(Self.addressesMax))
        guard found != addresses else { return }
        addresses = found
        sequence += 1
    }

    /// Returns the addresses at which peers reach a listening socket.
    ///
    /// `0.0.0.0` means every IPv4 address of the machine, `::` for every address; on other machines
    /// they mean nothing. Addresses that work on this machine only are left out unless there are no
    /// others.
    static func dialled(
        _ socket: Multiaddr,
        _ peer: PeerID,
        by machine: [IPAddress]
    ) -> [Multiaddr] {
        guard let bound = socket.ipAddress, bound.isUnspecified else {
            return [socket.expecting(peer)]
        }
        let usable = machine.filter {
            !$0.isUnspecified && !$0.isLinkLocal && ($0.isIP4 || !bound.isIP4)
        }
        let outward = usable.filter { $0.reach != .machine }
        return (outward.isEmpty ? usable : outward).map { address in
            Multiaddr(
                host: address.isIP4 ? .ip4(address) : .ip6(address),
                port: socket.port,
                peer: peer
            )
        }
    }
}

extension IPAddress {
    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether the address has a meaning only together with a network interface.
    ///
    /// Source: RFC 4291, section 2.5.6.
    var isLinkLocal: Bool { !isIP4 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }
}
