import Keys
package import Market
package import Storage

/// The sealed keys of an account's devices on this node.
///
/// A store that was restored from a backup does not know the message numbers and vault parts that
/// its devices have signed since. A device that continued would use them twice, and others would
/// mistake new data for data that they have. So each account gets a new device then; mail that was
/// sealed for the one before can still be read.
struct StoredDevices: Sendable {
    /// How many former devices are kept; one more for each restored backup.
    static let formerMax = 4

    let current: [UInt8]
    /// The latest first.
    let former: [[UInt8]]

    fileprivate static let restored = "restored-at"
    fileprivate static func current(of account: Address) -> String {
        Settings.key("chat-device", of: account)
    }
    fileprivate static func former(of account: Address) -> String {
        Settings.key("chat-devices-before", of: account)
    }
    fileprivate static func epoch(of account: Address) -> String {
        Settings.key("chat-device-epoch", of: account)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns an account's devices; `nil` if it needs a new one.
    func storedDevices(of account: Address) throws -> StoredDevices? {
        guard let current = try get(Settings.self, StoredDevices.current(of: account)),
            try get(Settings.self, StoredDevices.restored)
                == get(Settings.self, StoredDevices.epoch(of: account))
        else { return nil }
        return StoredDevices(
            current: current,
            former: try formerDevices(of: account, current.count)
        )
    }

    /// Each sealed key has the same length.
    fileprivate func formerDevices(of account: Address, _ byteCount: Int) throws -> [[UInt8]] {
        let bytes = try get(Settings.self, StoredDevices.former(of: account)) ?? []
        guard bytes.count % byteCount == 0 else {
            throw StorageError.corrupt(.value(table: Settings.name))
        }
        return stride(from: 0, to: bytes.count, by: byteCount).map {
            Array(bytes[$0..<$0 + byteCount])
        }
    }
}

extension WriteTransaction {
    /// Records that the store is as it was at an earlier time, so that accounts get new devices.
    package mutating func noteRestored(at time: Timestamp) throws {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: time.milliseconds >> (56 - 8 * $0)) }
        try put(Settings.self, StoredDevices.restored, bytes)
    }

    /// Stores the sealed key of a new device, unless the account has one by now.
    mutating func putDevice(_ sealed: [UInt8], of account: Address) throws -> StoredDevices {
        if let kept = try storedDevices(of: account) { return kept }
        var former: [[UInt8]] = []
        if let before = try get(Settings.self, StoredDevices.current(of: account)) {
            let earlier = try formerDevices(of: account, before.count)
            former = Array(([before] + earlier).prefix(StoredDevices.formerMax))
        }
        try put(Settings.self, StoredDevices.current(of: account), sealed)
        try put(Settings.self, StoredDevices.former(of: account), former.flatMap { $0 })
        if let epoch = try get(Settings.self, StoredDevices.restored) {
            try put(Settings.self, StoredDevices.epoch(of: account), epoch)
        }
        return StoredDevices(current: sealed, former: former)
    }
}
