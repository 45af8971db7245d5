package import Keys
package import Market

/// The segments of vaults, sealed, by account, device and number: of this node's accounts, and of
/// those whose mail is kept here.
package enum VaultSegments: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, UInt64>
    package typealias Value = [UInt8]
    package static let name = "vault-segments"
}

/// The result of storing a segment.
package enum VaultOutcome: Sendable {
    case kept
    /// The log already has a segment with this number, or no longer needs one.
    case notNeeded
    case overQuota
}

/// The stored part of a vault; it changes with every addition.
package struct VaultLogs: Equatable, Sendable {
    /// The last number of each log, by rising device.
    package let marks: [VaultLogMark]
    /// Up to where each log is whole; `nil` if all are.
    package let gaps: [VaultLogMark]?
    /// How many segments are here: one that fills a later gap changes nothing else.
    package let count: Int
}

/// The rows of one log; unreadable ones count as missing.
private struct ReadableLog {
    /// The numbers of the segments that can be read, rising.
    private(set) var numbers: [UInt64] = []
    /// The base that the last of them states.
    private(set) var base: UInt64 = 1
    /// The number of the last row.
    private(set) var last: UInt64 = 0

    /// The last number before the first missing one.
    var end: UInt64 { Self.end(of: numbers, from: base) }

    mutating func note(_ bytes: [UInt8], at key: VaultSegments.Key) {
        last = key.second
        guard let segment = try? VaultSegment(bytes), segment.place == key else { return }
        numbers.append(segment.number)
        base = segment.base
    }

    /// The last of the consecutive numbers from `base`; `base` less one if `base` is missing.
    static func end(of numbers: [UInt64], from base: UInt64) -> UInt64 {
        var end = base - 1
        for number in numbers where number == end + 1 { end = number }
        return end
    }
}

extension VaultSegment {
    /// The key under which the segment is stored.
    package var place: VaultSegments.Key { CompositeKey(CompositeKey(account, device), number) }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The last number of each log of a vault, by rising device.
    package func vaultMarks(of account: Address) throws -> [VaultLogMark] {
        var marks: [VaultLogMark] = []
        try scanKeys(VaultSegments.self, .prefix(account)) { key in
            if marks.last?.device == key.first.second { marks.removeLast() }
            marks.append(VaultLogMark(device: key.first.second, last: key.second))
            return true
        }
        return marks
    }

    /// Returns the stored part of a vault.
    package func vaultLogs(of account: Address) throws -> VaultLogs {
        VaultLogs(
            marks: try vaultMarks(of: account),
            gaps: try vaultGaps(of: account),
            count: try vaultSegmentCount(of: account)
        )
    }

    /// Returns how many segments of a vault are here, without reading them.
    package func vaultSegmentCount(of account: Address) throws -> Int {
        var count = 0
        try scanKeys(VaultSegments.self, .prefix(account)) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The marks up to which each log of a vault has all the segments that it needs; `nil` if no
    /// log has a gap.
    ///
    /// A log lacks a segment if it did not open, if the sender of the others held it back, or if it
    /// can no longer be read.
    package func vaultGaps(of account: Address) throws -> [VaultLogMark]? {
        var logs: [Bytes32: ReadableLog] = [:]
        try scan(VaultSegments.self, .prefix(account)) { key, bytes in
            logs[key.first.second, default: ReadableLog()].note(bytes, at: key)
            return true
        }
        var hasGap = false
        let marks = logs.map { device, log in
            if log.end != log.last { hasGap = true }
            return VaultLogMark(device: device, last: log.end)
        }
        guard hasGap else { return nil }
        return marks.filter { $0.last > 0 }
            .sorted { $0.device.bytes.lexicographicallyPrecedes($1.device.bytes) }
    }

    fileprivate func readableLog(_ log: CompositeKey<Address, Bytes32>) throws -> ReadableLog {
        var found = ReadableLog()
        try scan(VaultSegments.self, .prefix(log)) { key, bytes in
            found.note(bytes, at: key)
            return true
        }
        return found
    }

    /// Segments of a vault after those that `marks` name, by rising device and number.
    package func vaultSegments(
        of account: Address,
        after marks: [VaultLogMark],
        limit: Int,
        byteCountMax: Int
    ) throws -> [VaultSegment] {
        let lasts = Dictionary(marks.map { ($0.device, $0.last) }) { max($0, $1) }
        var (found, byteCount): ([VaultSegment], Int) = ([], 0)
        try scan(VaultSegments.self, .prefix(account)) { key, bytes in
            guard key.second > lasts[key.first.second] ?? 0 else { return true }
            byteCount += bytes.count
            guard found.count < limit, byteCount <= byteCountMax else { return false }
            // A damaged row is not a reason to withhold the others.
            if let segment = try? VaultSegment(bytes), segment.place == key {
                found.append(segment)
            }
            return true
        }
        return found
    }

    /// Whether the vault of an account is kept here: one of this node's, or one with a lease.
    package func keepsVault(of account: Address) throws -> Bool {
        try contains(AccountEntries.self, account) || contains(HomedAccounts.self, account)
    }

    /// Whether an account of this node has room for data from its other nodes: an owner whose key
    /// is elsewhere could write without end.
    package func hasRoomForVault(of account: Address) throws -> Bool {
        try contains(HomedAccounts.self, account)
            || vaultByteCount(of: account) < 2 * limits.guestVaultBytesMax
    }

    /// The size of all guests' vaults together, in bytes of whole pages.
    package func guestVaultByteCount() throws -> UInt64 {
        try counter(Counters.guestVaultBytes)
    }

    /// The size of an account's segments, in bytes of whole pages.
    func vaultByteCount(of account: Address) throws -> Int {
        var sum = 0
        try scan(VaultSegments.self, .prefix(account)) { _, bytes in
            sum += Self.vaultPlace(bytes)
            return true
        }
        return sum
    }

    fileprivate func vaultByteCount(of keys: [VaultSegments.Key]) throws -> Int {
        try keys.reduce(0) { try $0 + (get(VaultSegments.self, $1).map(Self.vaultPlace) ?? 0) }
    }

    fileprivate static func vaultPlace(_ bytes: [UInt8]) -> Int { (bytes.count + 4_095) & ~4_095 }
}

extension WriteTransaction {
    /// Stores a segment; it may replace an unreadable one.
    ///
    /// Once all segments that replace older ones are here, it removes the older ones.
    ///
    /// Bytes stored for guests are counted per device, per account and in all. If an account's
    /// share is full, the logs of its revoked devices are removed.
    package mutating func keepVault(_ segment: VaultSegment) throws -> VaultOutcome {
        let log = CompositeKey(segment.account, segment.device)
        let held = try keys(VaultSegments.self, .prefix(log))
        let readable = try readableLog(log)
        guard !readable.numbers.contains(segment.number), segment.number >= readable.base else {
            return .notNeeded
        }
        let numbers = (readable.numbers + [segment.number]).sorted()
        let needed = segment.number == numbers.last ? segment.base : readable.base
        let isWhole = ReadableLog.end(of: numbers, from: needed) == numbers.last
        let old = isWhole ? held.filter { $0.second < needed } : []
        if try contains(HomedAccounts.self, segment.account) {
            let replaced = old + held.filter { $0 == segment.place }
            let added = try Self.vaultPlace(segment.bytes) - vaultByteCount(of: replaced)
            guard try hasRoom(for: added, in: held, of: segment) else { return .overQuota }
            try countVault(added, of: segment.account)
        }
        try put(VaultSegments.self, segment.place, segment.bytes)
        for key in old { try remove(VaultSegments.self, key) }
        return .kept
    }

    /// Makes room in the part of an account of another node; returns whether there is enough.
    private mutating func hasRoom(
        for added: Int,
        in log: [VaultSegments.Key],
        of segment: VaultSegment
    ) throws -> Bool {
        if added <= 0 { return true }
        let (account, max) = (segment.account, limits.guestVaultBytesMax)
        guard try vaultByteCount(of: log) + added <= max / 4 * 3 else { return false }
        if try vaultByteCount(of: account) + added > max {
            for device in try vaultMarks(of: account).map(\.device)
            where try device != segment.device && deviceKey(device, of: account) == nil {
                let gone = try keys(VaultSegments.self, .prefix(CompositeKey(account, device)))
                try countVault(-vaultByteCount(of: gone), of: account)
                for key in gone { try remove(VaultSegments.self, key) }
            }
        }
        let all = try Int(clamping: counter(Counters.guestVaultBytes))
        let ofOrigin = try get(HomedAccounts.self, account).map { origin in
            try Int(clamping: load(MailUsage.vaults(from: origin)).bytes)
        }
        let own = try vaultByteCount(of: account) + added
        guard own <= max else { return false }
        // Half of the room in shares that are sure, however many others there are.
        let half = limits.guestVaultsBytesMax / 2
        if own <= half / Swift.max(1, limits.homedAccountsMax) { return true }
        // A part of the room that the others leave, so that the next origin still finds room.
        let share = (half - all + (ofOrigin ?? 0)) / Self.originPart
        return all + added <= half && (ofOrigin ?? 0) + added <= share
    }

    /// The guests of one origin may use at most 1/`originPart` of the room that all others leave.
    private static var originPart: Int { 8 }

    /// Adjusts the stored byte count of a guest by a difference, which may be negative.
    private mutating func countVault(_ byteCount: Int, of account: Address) throws {
        try add(byteCount, to: Counters.guestVaultBytes)
        guard let origin = try get(HomedAccounts.self, account) else { return }
        let key = MailUsage.vaults(from: origin)
        let bytes = max(0, Int(clamping: try load(key).bytes) + byteCount)
        if bytes == 0 {
            try remove(MailUsage.self, key)
        } else {
            let places = UInt64(bytes >> 12)
            try put(MailUsage.self, key, MailLoad(envelopes: places, bytes: UInt64(bytes)))
        }
    }

    /// Removes the stored data of an account's vault.
    mutating func removeVault(of account: Address) throws {
        if try contains(HomedAccounts.self, account) { try uncountVault(of: account) }
        try remove(VaultSegments.self, .prefix(account))
    }

    /// Takes an account's segments out of the count of those of other nodes' accounts.
    mutating func uncountVault(of account: Address) throws {
        try countVault(-vaultByteCount(of: account), of: account)
    }
}
