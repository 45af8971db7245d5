import Market
import Support
import Testing

@testable import GossipProtocol

struct PeerEntriesTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `tracks the peers at and near each address through all changes`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var entries = PeerEntries()
        for _ in 0..<500 {
            let peer = PeerID(multihash: [0, 1, UInt8.random(in: 0..<20, using: &random)])
            switch Int.random(in: 0..<4, using: &random) {
            case 0: entries[peer] = nil
            case 1: entries[peer]?.isBootstrap.toggle()
            default:
                entries[peer, default: .init()].places = try (0..<3).map { _ in
                    try place(of: peer, using: &random)
                }
            }
            check(entries, "seed \(seed)")
        }
    }

    private func place(
        of peer: PeerID,
        using random: inout SeededRandom
    ) throws -> PeerBook.KnownAddress {
        let number = Int.random(in: 1...4, using: &random)
        let hosts = [
            "ip4/9.9.9.\(number)", "ip4/9.9.\(number).9", "ip4/127.0.0.1", "dns4/n.example",
        ]
        let host = hosts[Int.random(in: 0..<4, using: &random)]
        let address = try #require(Multiaddr(text: "/\(host)/tcp/1"))
        var place = PeerBook.KnownAddress(address: address, origin: .configuration)
        if address.ipAddress == nil, Bool.random(using: &random) {
            place.resolved = [IPAddress(bytes: [9, 9, 9, UInt8(number)])].compactMap(\.self)
        }
        return place
    }

    private func check(_ entries: PeerEntries, _ seed: Comment) {
        for host in (1...9).flatMap({ [[9, 9, 9, $0], [9, 9, $0, 9]] }) as [[UInt8]] {
            guard let address = IPAddress(bytes: host) else { continue }
            let group = AddressGroup(address)
            func peers(_ isThere: (AddressGroup) -> Bool) -> Set<PeerID> {
                Set(
                    entries.all.filter { _, entry in
                        entry.places.flatMap(\.ipAddresses).contains { isThere(AddressGroup($0)) }
                    }.keys
                )
            }
            #expect(entries.peers(at: group) == peers { $0 == group }, seed)
            #expect(entries.peers(near: group) == peers { $0.subnet == group.subnet }, seed)
        }
        let named = entries.all.values.filter { entry in
            !entry.isBootstrap && entry.places.allSatisfy(\.ipAddresses.isEmpty)
        }
        #expect(entries.namedCount == named.count, seed)
    }
}
