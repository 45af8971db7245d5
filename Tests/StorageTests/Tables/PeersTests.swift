import Market
import Storage
import Support
import Testing

struct PeersTests {
    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    @Test func `stores everything known about a peer`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var entry = PeerEntry(addresses: ["/ip4/127.0.0.1/tcp/4001", ""])
        entry.sequence = .max
        entry.lastSuccessAt = .sample(1)
        entry.lastFailureAt = .sample(2)
        entry.failures = 3
        entry.bannedUntil = .sample(4)
        entry.banReason = "sent garbage"

        try await store.write { [entry] in try $0.putPeer(peer(1), entry) }

        #expect(try store.read { try $0.peer(peer(1)) } == entry)
        #expect(try store.read { try $0.peer(peer(2)) } == nil)
    }

    @Test func `stores bans of addresses until they are lifted`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let (short, long): ([UInt8], [UInt8]) = ([8, 8, 8, 8], [0x26, 0, 0, 1, 0, 2, 0, 3])
        let entry = AddressBanEntry(until: .sample(9), reason: "sent garbage")
        try await store.write { transaction in
            try transaction.putAddressBan(short, entry)
            try transaction.putAddressBan(long, entry)
        }
        var bans = try store.read { try $0.addressBans() }
        #expect(bans.map(\.group) == [short, long])
        #expect(bans.allSatisfy { $0.entry == entry })
        try await store.write { try $0.putAddressBan(short, nil) }
        bans = try store.read { try $0.addressBans() }
        #expect(bans.map(\.group) == [long])
    }

    @Test func `a full book drops unreached peers and keeps bans`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.peersMax = 3
        let store = try Store(folder: folder.path, limits: limits)
        var (good, banned) = (PeerEntry(addresses: ["a"]), PeerEntry(addresses: ["b"]))
        good.lastSuccessAt = .sample(1)
        banned.bannedUntil = .sample(9)
        let never = PeerEntry(addresses: ["c"])

        try await store.write { [good, banned] transaction in
            try transaction.putPeer(peer(1), good)
            try transaction.putPeer(peer(2), banned)
            try transaction.putPeer(peer(3), never)
            try transaction.putPeer(peer(4), never)
        }

        let kept = try store.read { try $0.peers().map(\.id) }
        #expect(kept == [peer(1), peer(2), peer(4)])
    }
}
