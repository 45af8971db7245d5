package import Market

/// The address book: peers, their addresses, and the results of dialling them.
enum Peers: Table {
    typealias Key = PeerID
    typealias Value = PeerEntry
    static let name = "peers"
}

/// A known peer's details.
package struct PeerEntry: TableValue, Equatable {
    /// Multiaddresses as text, the best first.
    package var addresses: [String]
    /// Of the newest signed record of the peer; an older one is not believed.
    package var sequence: UInt64
    package var lastSuccessAt: Timestamp?
    package var lastFailureAt: Timestamp?
    /// Failures since the last success.
    package var failures: UInt32
    /// When a ban ends; `nil` if there is none.
    package var bannedUntil: Timestamp?
    package var banReason: String

    package init(addresses: [String]) {
        self.addresses = addresses
        sequence = 0
        failures = 0
        banReason = ""
    }

    package var storedByteCount: Int {
        4 * 8 + 4 + 4 + banReason.utf8.count + addresses.reduce(0) { $0 + 4 + $1.utf8.count }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(sequence)
        for time in [lastSuccessAt, lastFailureAt, bannedUntil] {
            writer.write(time?.milliseconds ?? 0)
        }
        writer.write(failures)
        writer.append(long: [UInt8](banReason.utf8))
        for address in addresses { writer.append(long: [UInt8](address.utf8)) }
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        sequence = try reader.read()
        var times: [Timestamp?] = []
        for _ in 0..<3 {
            let milliseconds: UInt64 = try reader.read()
            times.append(milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds))
        }
        (lastSuccessAt, lastFailureAt, bannedUntil) = (times[0], times[1], times[2])
        failures = try reader.read()
        banReason = String(decoding: try reader.readLong(), as: UTF8.self)
        addresses = []
        while reader.remaining > 0 {
            addresses.append(String(decoding: try reader.readLong(), as: UTF8.self))
        }
    }

    /// How much a peer is worth keeping: reached before never reached, then the latest.
    private var worth: (Int, UInt64, UInt32) {
        (bannedUntil == nil ? 0 : 1, lastSuccessAt?.milliseconds ?? 0, .max - failures)
    }

    func isWorthLess(than other: PeerEntry) -> Bool { worth < other.worth }
}

extension ReadableTransaction where Self: ~Copyable {
    package func peer(_ id: PeerID) throws -> PeerEntry? { try get(Peers.self, id) }

    /// All peers of the address book, in the order of their ids.
    package func peers() throws -> [(id: PeerID, entry: PeerEntry)] {
        try entries(Peers.self, .all()).map { ($0.key, $0.value) }
    }
}

extension WriteTransaction {
    /// Stores a peer's details; in a full book a new peer replaces the least valuable one.
    ///
    /// A ban is kept before anything else, for forgetting would lift it.
    package mutating func putPeer(
        _ id: PeerID,
        _ entry: PeerEntry
    ) throws {
        let isNew = try !contains(Peers.self, id)
        if isNew, try count(Peers.self) >= limits.peersMax {
            var least: (PeerID, PeerEntry)?
            try scan(Peers.self, .all()) { id, entry in
                if least.map({ entry.isWorthLess(than: $0.1) }) ?? true { least = (id, entry) }
                return true
            }
            if let least { try remove(Peers.self, least.0) }
        }
        try put(Peers.self, id, entry)
    }
}
