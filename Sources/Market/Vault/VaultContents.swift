/// The entries of a vault, merged from all devices.
///
/// For each name the last entry counts, and in a section with too many names the last names stay.
/// So merging is commutative, associative and idempotent: devices that know the same segments have
/// the same contents, whatever the order of arrival.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultContents: Hashable, Sendable {
    private var sections: [VaultSection: [[UInt8]: VaultEntry]] = [:]

    package init() {}

    package init(_ entries: some Sequence<VaultEntry>) {
        merge(entries)
    }

    /// The number of entries, removed ones counted.
    package var count: Int { sections.values.reduce(0) { $0 + $1.count } }

    /// Merges entries, in any order.
    package mutating func merge(_ entries: some Sequence<VaultEntry>) {
        var changed: Set<VaultSection> = []
        for entry in entries where put(entry) { changed.insert(entry.section) }
        for section in changed { trim(section) }
    }

    package mutating func merge(_ other: VaultContents) {
        merge(other.sections.values.lazy.flatMap(\.values))
    }

    /// The entry of a name, also of a removed one.
    package func entry(_ name: [UInt8], in section: VaultSection) -> VaultEntry? {
        sections[section]?[name]
    }

    /// The value of a name; `nil` if it is not there, or was removed.
    package func value(_ name: [UInt8], in section: VaultSection) -> [UInt8]? {
        entry(name, in: section)?.value
    }

    /// The entries of a section that are not removed, latest first.
    package func present(in section: VaultSection) -> [VaultEntry] {
        (sections[section] ?? [:]).values.filter { $0.value != nil }.sorted { $1.precedes($0) }
    }

    /// The entries that satisfy a condition, removed ones too, by section and name.
    package func entries(where isWanted: (VaultEntry) -> Bool = { _ in true }) -> [VaultEntry] {
        sections.values.flatMap { $0.values.filter(isWanted) }.sorted { left, right in
            if left.section != right.section { return left.section < right.section }
            return left.name.lexicographicallyPrecedes(right.name)
        }
    }

    /// The time of a new entry, which must win over the existing one.
    package func time(of name: [UInt8], in section: VaultSection, at now: Timestamp) -> Timestamp {
        guard let held = entry(name, in: section), held.time >= now else { return now }
        return held.time.advanced(by: .milliseconds(1))
    }

    /// The present entries that would be pushed out of a section if these names were written.
    ///
    /// Written again, they stay, and removed names are forgotten instead. If there are too few of
    /// these, the earliest current entries are dropped, which are not returned.
    package func endangered(by names: Set<[UInt8]>, in section: VaultSection) -> [VaultEntry] {
        let held = sections[section] ?? [:]
        var excess = held.count + names.count { held[$0] == nil } - section.entriesMax
        let others = held.values.filter { !names.contains($0.name) }
        var lost = max(0, excess - others.count { $0.value == nil })
        var found: [VaultEntry] = []
        for entry in others.sorted(by: { $0.precedes($1) }) where excess > 0 {
            if entry.value == nil {
                excess -= 1
            } else if lost > 0 {
                (excess, lost) = (excess - 1, lost - 1)
            } else {
                found.append(entry)
            }
        }
        return found
    }

    private mutating func put(_ entry: VaultEntry) -> Bool {
        if let held = sections[entry.section]?[entry.name], !held.precedes(entry) { return false }
        sections[entry.section, default: [:]][entry.name] = entry
        return true
    }

    /// Keeps the last entries of a section, up to its maximum number, and removes the others.
    private mutating func trim(_ section: VaultSection) {
        guard let entries = sections[section], entries.count > section.entriesMax else { return }
        let kept = entries.values.sorted { $1.precedes($0) }.prefix(section.entriesMax)
        sections[section] = Dictionary(uniqueKeysWithValues: kept.map { ($0.name, $0) })
    }
}
