package import Keys

/// One device's latest statement about a name in a vault: its value, or its removal.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultEntry: Hashable, Sendable {
    package static let nameByteCountMax = 128

    package let section: VaultSection
    /// The name within the section, 1 to 128 bytes.
    package let name: [UInt8]
    /// `nil` if the name was removed.
    package let value: [UInt8]?
    package let time: Timestamp
    /// The slot of the device that wrote it.
    package let device: Bytes32

    /// - Throws: ``VaultFault/nameLength(_:)`` or ``VaultFault/valueLength(_:countMax:)``.
    package init(
        section: VaultSection,
        name: [UInt8],
        value: [UInt8]?,
        time: Timestamp,
        device: Bytes32
    ) throws(VaultFault) {
        guard (1...Self.nameByteCountMax).contains(name.count) else {
            throw .nameLength(name.count)
        }
        let countMax = section.valueByteCountMax
        if let value, value.count > countMax {
            throw .valueLength(value.count, countMax: countMax)
        }
        (self.section, self.name, self.value) = (section, name, value)
        (self.time, self.device) = (time, device)
    }

    /// Whether this entry loses to `other`.
    ///
    /// A total order of different entries: by time, device, removed before value, the value's bytes
    /// and the name. Of one name the last entry counts.
    package func precedes(_ other: VaultEntry) -> Bool {
        if time != other.time { return time < other.time }
        if device != other.device { return device < other.device }
        switch (value, other.value) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (let mine?, let others?) where mine != others:
            return mine.lexicographicallyPrecedes(others)
        default: break
        }
        if section != other.section { return section < other.section }
        return name.lexicographicallyPrecedes(other.name)
    }
}

/// Why bytes are not a valid part of a vault.
package enum VaultFault: Error, Hashable, Sendable {
    case nameLength(Int)
    case valueLength(Int, countMax: Int)
    /// Truncated, in another order, or not in canonical form.
    case malformed
    /// A format of a later version.
    case version(UInt8)
    /// Of another account, device, place or network; under another key; or changed.
    case notOpened
}
