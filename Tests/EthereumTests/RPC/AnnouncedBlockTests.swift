import Ethereum
import Foundation
import Keys
import Market
import Testing

/// Announced blocks whose hash proves their filter, with fields that come and go.
struct AnnouncedBlockTests {
    private static let hash = Bytes32(repeating: 3).hex
    private static let bloom = "0x" + String(repeating: "00", count: 256)

    /// The fields of a header with all known ones, and the items that its hash covers.
    private static func header(
        upTo count: Int,
        more: [(name: String, text: String, item: RLPItem)] = [],
        extra: Int? = nil
    ) -> [String: Any] {
        let bytes = [UInt8](repeating: 3, count: 32)
        let fixed: [(name: String, text: String, item: RLPItem)] = [
            ("parentHash", hash, .bytes(bytes)), ("sha3Uncles", hash, .bytes(bytes)),
            (
                "miner", "0x" + String(repeating: "05", count: 20),
                .bytes([UInt8](repeating: 5, count: 20))
            ),
            ("stateRoot", hash, .bytes(bytes)), ("transactionsRoot", hash, .bytes(bytes)),
            ("receiptsRoot", hash, .bytes(bytes)),
            ("logsBloom", bloom, .bytes([UInt8](repeating: 0, count: 256))),
            ("difficulty", "0x0", .small(0)), ("number", "0x7", .small(7)),
            ("gasLimit", "0x1c9c380", .small(30_000_000)), ("gasUsed", "0x0", .small(0)),
            ("timestamp", "0x64", .small(100)),
            ("extraData", "0x01", .bytes(extra.map { [UInt8](repeating: 7, count: $0) } ?? [1])),
            ("mixHash", hash, .bytes(bytes)),
            (
                "nonce", "0x" + String(repeating: "00", count: 8),
                .bytes([UInt8](repeating: 0, count: 8))
            ),
        ]
        let later: [(name: String, text: String, item: RLPItem)] = [
            ("baseFeePerGas", "0x9", .small(9)), ("withdrawalsRoot", hash, .bytes(bytes)),
            ("blobGasUsed", "0x0", .small(0)), ("excessBlobGas", "0x2", .small(2)),
            ("parentBeaconBlockRoot", hash, .bytes(bytes)), ("requestsHash", hash, .bytes(bytes)),
        ]
        let all = fixed + later.prefix(count) + more
        var fields: [String: Any] = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.text) })
        fields["hash"] = Keccak256.hash(RLP.encode(list: all.map(\.item))).hex
        for field in later.dropFirst(count) { fields[field.name] = NSNull() }
        return fields
    }

    private func bloom(_ fields: [String: Any]) throws -> LogBloom? {
        let data = try JSONSerialization.data(withJSONObject: fields)
        return try JSONDecoder().decode(AnnouncedBlock.self, from: data).bloom
    }

    @Test(arguments: 0...6)
    func `treats a null field as missing`(count: Int) throws {
        #expect(try bloom(Self.header(upTo: count)) != nil)
    }

    @Test func `verifies headers with new fields in any order, beside unhashed ones`() throws {
        let more: [(name: String, text: String, item: RLPItem)] = [
            ("slotNumber", "0x1f", .small(31)),
            ("blockAccessListHash", Self.hash, .bytes([UInt8](repeating: 3, count: 32))),
        ]
        for added in [more, more.reversed(), [more[1]]] {
            var fields = Self.header(upTo: 6, more: added)
            fields["vendorNote"] = "0x1"
            fields["size"] = "0x220"
            fields["newRoot"] = NSNull()
            #expect(try bloom(fields) != nil)
        }
    }

    /// - From endpoints: announcements of a long header with unknown fields → they are not tried
    @Test func `tries unknown fields only in short headers`() throws {
        for (length, isProved) in [(1_000, true), (3_000, false)] {
            let text = "0x" + String(repeating: "07", count: length)
            let more: [(name: String, text: String, item: RLPItem)] = [
                ("slotNumber", "0x1f", .small(31))
            ]
            var fields = Self.header(upTo: 6, more: more, extra: length)
            fields["extraData"] = text
            #expect((try bloom(fields) != nil) == isProved)
        }
    }

    @Test
    func `a header with unknown fields or a wrong hash proves nothing`() throws {
        var fields = Self.header(upTo: 6)
        fields["gasUsed"] = "0x1"
        #expect(try bloom(fields) == nil)
        fields = Self.header(upTo: 6, more: [("unshown", "0x1", .small(1))])
        fields["unshown"] = nil
        #expect(try bloom(fields) == nil)
        fields = Self.header(upTo: 6, more: [("late", "0x1", .small(1))])
        for number in 0..<4 { fields["other\(number)"] = "0x5" }
        #expect(try bloom(fields) == nil)
    }
}
