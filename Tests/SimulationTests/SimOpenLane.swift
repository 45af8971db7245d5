import GossipProtocol
import Keys
import Market

/// A record of a free account: an id, an author, and whether its stamp is good.
struct SimOpenRecord {
    private static let byteCount = 300

    let id: UInt64
    let author: UInt64
    let isStamped: Bool

    init(id: UInt64, author: UInt64, isStamped: Bool) {
        (self.id, self.author, self.isStamped) = (id, author, isStamped)
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func number(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(id: number(0), author: number(8), isStamped: bytes[16] == 1)
    }

    var bytes: [UInt8] {
        func bytes(_ number: UInt64) -> [UInt8] {
            (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        }
        let head = bytes(id) + bytes(author) + [isStamped ? 1 : 0]
        return head + [UInt8](repeating: 0, count: Self.byteCount - head.count)
    }
}

/// The open lane of one node: the store's rule of eviction, in a list.
struct SimOpenLane {
    private static let bytesMax = 40_000

    private var records: [(id: UInt64, origin: RecordOrigin, byteCount: Int, at: Int)] = []

    var ids: Set<UInt64> { Set(records.map(\.id)) }
    var byteCount: Int { records.reduce(0) { $0 + $1.byteCount } }
    var isWithinBudget: Bool { byteCount <= Self.bytesMax }

    /// Answers whether there was room.
    mutating func put(_ id: UInt64, _ byteCount: Int, from origin: RecordOrigin, at time: Int)
        -> Bool
    {
        records.append((id, origin, byteCount, time))
        while !isWithinBudget {
            let shares = Dictionary(grouping: records, by: \.origin)
                .mapValues { $0.reduce(0) { $0 + $1.byteCount } }
            let worst = shares.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
            let last = records.indices.filter { records[$0].origin == worst }
                .max { (records[$0].at, records[$0].id) < (records[$1].at, records[$1].id) }
            if let last { records.remove(at: last) }
        }
        return records.contains { $0.id == id }
    }
}

/// One node: the real router and the real admission, and a lane.
struct SimOpenNode {
    let number: Int
    let isHonest: Bool
    var router: GossipRouter
    var admission = RecordAdmission(limits: Self.limits)
    var lane = SimOpenLane()
    /// Records that were taken at some time.
    var taken: Set<UInt64> = []
    var refusals = 0
    var links: Set<Int> = []

    init(number: Int, isHonest: Bool, seed: UInt64) {
        (self.number, self.isHonest) = (number, isHonest)
        router = GossipRouter(seed: seed)
    }

    static let topic = Topic("/stoa/simulation/1")

    /// One fortieth of the real ones, so that seconds are enough for a flood.
    static let limits: RecordAdmissionLimits = {
        var limits = RecordAdmissionLimits()
        limits.open.bytesPerSecond = 3_200
        limits.open.shareBytesPerSecond = 400
        limits.open.allowanceBytes = 24_000
        limits.open.firstBytes = 3_000
        limits.passedOn.bytesPerSecond = 400
        limits.passedOn.shareBytesPerSecond = 400
        limits.passedOn.allowanceBytes = 6_000
        limits.passedOn.firstBytes = 800
        return limits
    }()

    static func peer(_ number: Int) -> PeerID {
        PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
    }

    static func number(of peer: PeerID) -> Int {
        Int(peer.multihash[2]) << 8 | Int(peer.multihash[3])
    }
}
