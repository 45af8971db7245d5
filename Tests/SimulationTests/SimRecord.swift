import GossipProtocol
import Keys
import Market

/// A record of the simulation: an id, and a body whose checksum the id begins with.
///
/// So a spoilt copy has the same id and another body, and everybody can tell.
enum SimRecord {
    private static let bodyBytes = 40

    static func make(_ random: inout SplitMix) -> [UInt8] {
        let body = (0..<bodyBytes).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return id(of: body) + body
    }

    static func spoilt(_ data: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var copy = data
        copy[32 + Int(random.next() % UInt64(bodyBytes))] ^= 1 + UInt8(random.next() % 255)
        return copy
    }

    /// What its bytes say its id is.
    static func id(_ data: [UInt8]) -> RecordID? {
        guard data.count == 32 + bodyBytes else { return nil }
        return Bytes32(data.prefix(32)).map(RecordID.init)
    }

    static func isValid(_ data: [UInt8]) -> Bool {
        data.count == 32 + bodyBytes && Array(data.prefix(32)) == id(of: Array(data.dropFirst(32)))
    }

    private static func id(of body: [UInt8]) -> [UInt8] {
        var mix = SplitMix(seed: TraceHash.of(body))
        return (0..<4).flatMap { _ in
            let word = mix.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}

/// What a run did, in one number.
///
/// Source: FNV-1a, Fowler, Noll and Vo.
struct TraceHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: 64, by: 8) {
            value ^= UInt64(truncatingIfNeeded: number >> shift) & 0xFF
            value &*= 0x100_0000_01B3
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
