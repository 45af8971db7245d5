import Keys

/// The one form that the entries of a segment have: their number, the entries sorted by section and
/// name, and zeros up to a multiple of 256 bytes, so that a length says little.
///
/// Source: Docs/protocol.md, section 15.
package enum VaultCoding {
    static let paddingBytes = 256
    static let countBytes = 4

    /// The length of an entry.
    static func byteCount(of entry: VaultEntry) -> Int {
        2 + 1 + entry.name.count + 8 + 32 + 1 + (entry.value.map { 2 + $0.count } ?? 0)
    }

    package static func bytes(of entries: [VaultEntry]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt64(entries.count), byteCount: countBytes)
        for entry in entries {
            bytes.append(UInt64(entry.section.rawValue), byteCount: 2)
            bytes.append(UInt64(entry.name.count), byteCount: 1)
            bytes += entry.name
            bytes.append(entry.time.milliseconds, byteCount: 8)
            bytes += entry.device.bytes
            bytes.append(entry.value == nil ? 0 : 1)
            if let value = entry.value {
                bytes.append(UInt64(value.count), byteCount: 2)
                bytes += value
            }
        }
        let rest = bytes.count % paddingBytes
        if rest > 0 { bytes += [UInt8](repeating: 0, count: paddingBytes - rest) }
        return bytes
    }

    /// Reads entries that have exactly this form.
    ///
    /// - Throws: ``VaultFault``.
    package static func entries(_ bytes: [UInt8]) throws(VaultFault) -> [VaultEntry] {
        guard bytes.count.isMultiple(of: paddingBytes) else { throw .malformed }
        var reader = VaultReader(bytes[...])
        let count = try reader.number(byteCount: countBytes)
        var entries: [VaultEntry] = []
        for _ in 0..<count {
            let entry = try reader.entry()
            if let last = entries.last, !last.isBefore(entry) { throw .malformed }
            entries.append(entry)
        }
        guard reader.rest.count < paddingBytes, reader.rest.allSatisfy({ $0 == 0 }) else {
            throw .malformed
        }
        return entries
    }
}

/// Reads numbers and bytes of a vault, with a check before each.
struct VaultReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func bytes(_ count: Int) throws(VaultFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number(byteCount: Int) throws(VaultFault) -> UInt64 {
        try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func bytes32() throws(VaultFault) -> Bytes32 {
        guard let read = Bytes32(try bytes(Bytes32.byteCount)) else { throw .malformed }
        return read
    }

    mutating func entry() throws(VaultFault) -> VaultEntry {
        let section = VaultSection(rawValue: UInt16(try number(byteCount: 2)))
        let name = Array(try bytes(Int(try number(byteCount: 1))))
        let time = Timestamp(milliseconds: try number(byteCount: 8))
        let device = try bytes32()
        let value: [UInt8]?
        switch try number(byteCount: 1) {
        case 0: value = nil
        case 1: value = Array(try bytes(Int(try number(byteCount: 2))))
        default: throw .malformed
        }
        return try VaultEntry(
            section: section,
            name: name,
            value: value,
            time: time,
            device: device
        )
    }
}

extension VaultEntry {
    /// Whether the entry stands before another of a segment.
    fileprivate func isBefore(_ other: VaultEntry) -> Bool {
        if section != other.section { return section < other.section }
        return name.lexicographicallyPrecedes(other.name)
    }
}

extension [UInt8] {
    /// Appends the last bytes of a number, big-endian.
    mutating func append(_ number: UInt64, byteCount: Int) {
        for index in (0..<byteCount).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
        }
    }
}
