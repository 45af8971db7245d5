package import Keys

/// Up to which of its devices' messages an account has read a conversation, for its other nodes.
///
/// Source: Docs/protocol.md, section 15.11.
package struct ReadMark: Hashable, Sendable {
    /// The longest content that fits into the value of an entry.
    package static let devicesMax = 12

    /// The number of the last message that was read, by the slot of the device that sent it.
    package let numbers: [Bytes32: UInt64]

    /// Takes the devices with the greatest numbers, if there are too many.
    package init(_ numbers: [Bytes32: UInt64]) {
        let kept = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(
            Self.devicesMax
        )
        self.numbers = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// Reads the value of an entry; `nil` if it has another form.
    package init?(_ value: [UInt8]) {
        let step = Bytes32.byteCount + 8
        guard value.count % step == 0, value.count <= Self.devicesMax * step else { return nil }
        var numbers: [Bytes32: UInt64] = [:]
        var last: Bytes32?
        for start in stride(from: 0, to: value.count, by: step) {
            let middle = start + Bytes32.byteCount
            guard let device = Bytes32(value[start..<middle]), last.map({ $0 < device }) ?? true
            else {
                return nil
            }
            last = device
            numbers[device] = value[middle..<start + step].reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.numbers = numbers
    }

    /// The value of an entry: slot (32 bytes) and number (8 bytes) of each device, by rising slot.
    package var bytes: [UInt8] {
        numbers.sorted { $0.key < $1.key }.flatMap { device, number in
            device.bytes + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
    }
}
