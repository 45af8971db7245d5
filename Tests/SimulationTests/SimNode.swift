import GossipProtocol
import Market

/// One node of the simulation: the real cores, and a disk that forgets what it has not synced.
struct SimNode {
    let number: Int
    let isLiar: Bool
    /// Counts its lives; what was on its way to an earlier one is lost.
    var epoch = 0
    var isRunning = false
    var router: GossipRouter
    var book: PeerBook
    var durable: [RecordID: [UInt8]] = [:]
    var links: Set<Int> = []

    init(number: Int, isLiar: Bool, seed: UInt64) {
        self.number = number
        self.isLiar = isLiar
        router = Self.router(seed: seed)
        book = PeerBook(localPeer: Self.peer(number), seed: seed)
    }

    static let topic = Topic("/stoa/simulation/1")

    /// Tight, so that the bounds are met.
    static let limits: GossipLimits = {
        var limits = GossipLimits()
        limits.pendingMax = 24
        limits.judgedMax = 6
        limits.promisesMax = 400
        limits.promisesPerPeerMax = 200
        limits.seenMax = 2_000
        return limits
    }()

    static let exchangeLimits: ExchangeLimits = {
        var limits = ExchangeLimits()
        limits.pageIDsMax = 7
        limits.wantIDsMax = 4
        limits.recordBytesMax = 100
        limits.batchBytesMax = 200
        limits.unprovenMax = 20
        return limits
    }()

    static func peer(_ number: Int) -> PeerID {
        PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
    }

    static func number(of peer: PeerID) -> Int {
        Int(peer.multihash[2]) << 8 | Int(peer.multihash[3])
    }

    static func router(seed: UInt64) -> GossipRouter { GossipRouter(limits: limits, seed: seed) }

    /// Answers as the gate does: once, and for bytes that are good by themselves.
    func knows(_ data: [UInt8]) -> Bool {
        SimRecord.id(data).map { durable[$0] != nil } ?? false
    }

    mutating func keep(_ data: [UInt8]) {
        guard let id = SimRecord.id(data) else { return }
        durable[id] = data
    }

    func ids(after: RecordID?, countMax: Int) -> [RecordID] {
        let ids = durable.keys.sorted()
        guard let after else { return Array(ids.prefix(countMax)) }
        return Array(ids.drop { $0 <= after }.prefix(countMax))
    }

    func records(_ ids: [RecordID], bytesMax: Int) -> [RecordExchange.Served] {
        var served: [RecordExchange.Served] = []
        var byteCount = 0
        for id in ids {
            guard byteCount < bytesMax else { break }
            guard let data = durable[id] else { continue }
            byteCount += data.count
            served.append(RecordExchange.Served(id: id, data: data))
        }
        return served
    }
}
