package import Ethereum
import Keys

extension LogBloom {
    /// A filter of just these addresses and topics, as a chain makes it.
    package init(of values: [[UInt8]]) {
        var bytes = [UInt8](repeating: 0, count: 256)
        for value in values {
            let hash = Keccak256.hash(value).bytes
            for place in [0, 2, 4] {
                let bit = (Int(hash[place]) << 8 | Int(hash[place + 1])) % 2_048
                bytes[255 - bit / 8] |= 1 << UInt8(bit % 8)
            }
        }
        guard let bloom = LogBloom(bytes) else { preconditionFailure("256 bytes") }
        self = bloom
    }

    /// A filter of the values of these logs.
    package init(of events: [ContractEvent]) {
        self.init(of: events.flatMap { [$0.address.bytes] + $0.topics.map(\.bytes) })
    }

    /// A filter that names everything, as that of a block of a busy chain nearly does.
    package static var full: LogBloom {
        guard let bloom = LogBloom([UInt8](repeating: 0xFF, count: 256)) else {
            preconditionFailure("256 bytes")
        }
        return bloom
    }

    /// The filter as JSON has it.
    package var hex: String { "0x" + Hex.encode(bytes) }
}
