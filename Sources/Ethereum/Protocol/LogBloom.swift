import Keys

/// The filter in a block's header that shows which contracts and topics its logs can have.
///
/// It may name some that the block does not have, but never leaves one out.
///
/// Source: Ethereum Yellow Paper, section 4.4.1, "Transaction Receipt".
package struct LogBloom: Hashable, Sendable {
    static let byteCount = 256

    package let bytes: [UInt8]

    /// Creates a filter from its bytes; `nil` if these are not 256.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The chance that it names a value that the block does not have.
    ///
    /// A value takes three bits, so a full filter names everything.
    var falseChance: Double {
        let set = bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        let part = Double(set) / Double(Self.byteCount * 8)
        return part * part * part
    }

    /// Returns whether the block may have a log with this address or topic.
    func mayHave(_ value: [UInt8]) -> Bool {
        let hash = Keccak256.hash(value).bytes
        return [0, 2, 4].allSatisfy { place in
            let bit = (Int(hash[place]) << 8 | Int(hash[place + 1])) & 0x7FF
            return bytes[Self.byteCount - 1 - bit / 8] >> UInt8(bit % 8) & 1 == 1
        }
    }
}

extension LogFilter {
    /// Returns whether a block with this filter in its header may have an event of interest.
    package func mayMatch(_ bloom: LogBloom) -> Bool {
        addresses.contains { bloom.mayHave($0.bytes) }
            && (topics.isEmpty || topics.contains { bloom.mayHave($0.bytes) })
    }

    /// Returns the contracts that may have events of interest in a block with this filter.
    func contracts(in bloom: LogBloom) -> [Address] {
        mayMatch(bloom) ? addresses.filter { bloom.mayHave($0.bytes) } : []
    }

    /// Returns the chance that such a filter names a contract and a topic which the block does not
    /// have.
    func falseChance(of bloom: LogBloom) -> Double {
        let chance = bloom.falseChance
        let ofTopic = topics.isEmpty ? 1 : min(1, Double(topics.count) * chance)
        return min(1, Double(addresses.count) * chance) * ofTopic
    }
}
