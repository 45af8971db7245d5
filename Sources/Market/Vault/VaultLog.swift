package import Keys

/// The log of one device in a vault: which numbers its segments have, and when it is compacted.
///
/// Pure: it neither seals nor stores its results.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultLog: Hashable, Sendable {
    /// The number of segments after the last compaction that makes another one due.
    package static let tailMax = 64

    /// The content of one segment.
    package struct Part: Hashable, Sendable {
        package let device: Bytes32
        package let number: UInt64
        package let base: UInt64
        /// Sorted by section and name.
        package let entries: [VaultEntry]
    }

    package let device: Bytes32
    /// The number of the last segment; 0 before the first.
    package private(set) var last: UInt64
    package private(set) var base: UInt64

    /// An empty log.
    package init(device: Bytes32) { self.init(device: device, last: 0, base: 1) }

    /// A log that continues after the stored segments.
    package init(device: Bytes32, last: UInt64, base: UInt64) {
        (self.device, self.last, self.base) = (device, last, max(base, 1))
    }

    /// Appends entries of different names.
    package mutating func append(_ entries: [VaultEntry]) -> [Part] {
        split(entries).map { part in
            last += 1
            return Part(device: device, number: last, base: base, entries: part)
        }
    }

    /// Whether the log has many segments for its content.
    ///
    /// - Parameters:
    ///   - contents: The merged vault.
    ///   - gone: As for ``compact(_:adopting:)``, which would write their entries, too.
    /// - Returns: Whether compacting makes it much shorter.
    package func isLong(_ contents: VaultContents, adopting gone: Set<Bytes32> = []) -> Bool {
        let whole = last - base + 1
        guard whole > UInt64(Self.tailMax) else { return false }
        let count = split(own(contents, adopting: gone)).count
        return whole > UInt64(count * 4 + Self.tailMax)
    }

    /// Writes the remainder of the log again, and the entries of devices that no longer write.
    ///
    /// Only the last part states that the earlier segments are no longer needed, so a home that has
    /// only some of the parts deletes nothing.
    ///
    /// - Parameters:
    ///   - contents: The merged vault; entries that still count are taken from it.
    ///   - gone: Devices that were revoked, whose logs others may drop.
    /// - Returns: The content of the next segments.
    package mutating func compact(
        _ contents: VaultContents,
        adopting gone: Set<Bytes32> = []
    ) -> [Part] {
        let parts = split(own(contents, adopting: gone))
        let first = last + 1
        let end = last + UInt64(max(parts.count, 1))
        let before = base
        defer { (last, base) = (end, first) }
        guard !parts.isEmpty else {
            return [Part(device: device, number: first, base: first, entries: [])]
        }
        return zip(first...end, parts).map { number, part in
            Part(
                device: device,
                number: number,
                base: number == end ? first : before,
                entries: part
            )
        }
    }

    private func own(_ contents: VaultContents, adopting gone: Set<Bytes32>) -> [VaultEntry] {
        contents.entries { $0.device == device || gone.contains($0.device) }
    }

    /// Splits entries so that each part fits into a segment.
    private func split(_ entries: [VaultEntry]) -> [[VaultEntry]] {
        let countMax = VaultSegment.contentByteCountMax - VaultCoding.countBytes
        var parts: [[VaultEntry]] = []
        var byteCount = Int.max
        for entry in VaultContents(entries).entries() {
            let count = VaultCoding.byteCount(of: entry)
            if byteCount > countMax - count {
                parts.append([])
                byteCount = 0
            }
            parts[parts.count - 1].append(entry)
            byteCount += count
        }
        return parts
    }
}
