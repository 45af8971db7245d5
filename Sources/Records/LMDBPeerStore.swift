import Gossip
package import GossipProtocol
import Market
package import Storage

/// Keeps the peer book in the store.
package struct LMDBPeerStore: PeerStore {
    private let store: Store

    package init(store: Store) {
        self.store = store
    }

    package func notes() throws -> [PeerNote] {
        try store.read { try $0.peers() }.map { peer, entry in
            PeerNote(
                peer: peer,
                addresses: entry.addresses.compactMap(Multiaddr.init(text:)),
                sequence: entry.sequence,
                lastSuccessAt: entry.lastSuccessAt?.unixSeconds,
                lastFailureAt: entry.lastFailureAt?.unixSeconds,
                failures: Int(entry.failures),
                bannedUntil: entry.bannedUntil?.unixSeconds,
                banReason: entry.banReason
            )
        }
    }

    package func addressBans() throws -> [AddressBanNote] {
        try store.read { try $0.addressBans() }.compactMap { bytes, entry in
            AddressGroup(bytes: bytes).map {
                AddressBanNote(group: $0, until: entry.until.unixSeconds, reason: entry.reason)
            }
        }
    }

    package func keep(_ notes: [PeerNote], bans: [AddressBanNote]) async throws {
        try await store.write { transaction in
            for ban in bans {
                let entry = ban.until.map {
                    AddressBanEntry(until: Timestamp(unixSeconds: $0), reason: ban.reason)
                }
                try transaction.putAddressBan(ban.group.bytes, entry)
            }
            for note in notes {
                var entry = PeerEntry(addresses: note.addresses.map(\.description))
                entry.sequence = note.sequence
                entry.lastSuccessAt = note.lastSuccessAt.map(Timestamp.init(unixSeconds:))
                entry.lastFailureAt = note.lastFailureAt.map(Timestamp.init(unixSeconds:))
                entry.failures = UInt32(clamping: note.failures)
                entry.bannedUntil = note.bannedUntil.map(Timestamp.init(unixSeconds:))
                entry.banReason = note.banReason
                try transaction.putPeer(note.peer, entry)
            }
        }
    }
}

extension Timestamp {
    fileprivate init(unixSeconds: Int64) {
        self.init(milliseconds: UInt64(clamping: unixSeconds) * 1_000)
    }

    fileprivate var unixSeconds: Int64 { Int64(clamping: milliseconds / 1_000) }
}
