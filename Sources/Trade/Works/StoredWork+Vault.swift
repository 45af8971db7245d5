import Keys
import Mail
import Market
import Storage

/// Works and their deliveries, in the form that an account's nodes exchange.
///
/// Source: Docs/protocol.md, section 15.12.
extension StoredWork {
    /// The id, the length and the key of the encrypted file; the name follows.
    private static let headerByteCount = 32 + 4 + 32

    /// The entry's value in a vault; `nil` if this is damaged.
    var vaultValue: [UInt8]? {
        guard let blob = Bytes32(hex: blob), let key = Bytes32(hex: key) else { return nil }
        let length = (0..<4).map { UInt8(truncatingIfNeeded: byteCount >> (24 - 8 * UInt64($0))) }
        return blob.bytes + length + key.bytes + Array(name.utf8)
    }

    /// Reads an entry of a vault; `nil` for a removed one, and one in a form of a later version.
    init?(_ entry: VaultEntry) {
        guard entry.section == .works, let file = Bytes32(entry.name), let value = entry.value,
            value.count > Self.headerByteCount, let blob = Bytes32(Array(value[..<32])),
            let key = Bytes32(Array(value[36..<68])),
            let name = String(validating: value[68...], as: UTF8.self),
            (try? MailWork.checked(name: name)) != nil
        else { return nil }
        let byteCount = value[32..<36].reduce(0) { $0 << 8 | UInt64($1) }
        guard byteCount > Self.overhead, byteCount <= Media.byteCountMax else { return nil }
        self.init(file: file, blob: blob, byteCount: byteCount, key: key, name: name)
        isFollowed = true
    }

    /// The entry about the work in the account's vault.
    var vaultChange: Vault.Change? {
        guard let file = Bytes32(hex: file), let value = vaultValue else { return nil }
        return Vault.Change(section: .works, name: file.bytes, value: value)
    }
}

extension DeliveredWork {
    /// How often a key is sent for one sale.
    static let countMax: UInt8 = 6
    /// The maximum time that a message is in transit.
    static let patience = Duration.days(30)
    /// How much longer a node waits with a work that was added elsewhere.
    private static let othersPatience = Duration.days(1)

    /// The time, the count, and 1 if the buyer has it: the entry's value in a vault.
    var vaultValue: [UInt8] {
        let time = sentAt.milliseconds
        return (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
            + [count, isAcknowledged ? 1 : 0]
    }

    /// Reads an entry's value; `nil` for one in a form of a later version.
    init?(vaultValue: [UInt8]) {
        guard vaultValue.count == 10, vaultValue[9] < 2 else { return nil }
        self.init(
            sentAt: Timestamp(milliseconds: vaultValue[..<8].reduce(0) { $0 << 8 | UInt64($1) }),
            count: vaultValue[8],
            isAcknowledged: vaultValue[9] == 1
        )
    }

    /// The state of a delivery on two nodes.
    func merged(with other: DeliveredWork?) -> DeliveredWork {
        guard let other else { return self }
        return DeliveredWork(
            sentAt: max(sentAt, other.sentAt),
            count: max(count, other.count),
            isAcknowledged: isAcknowledged || other.isAcknowledged
        )
    }

    /// Whether the key must be sent again.
    func isDue(at now: Timestamp, isFollowed: Bool) -> Bool {
        let time = Self.patience + (isFollowed ? Self.othersPatience : .zero)
        return !isAcknowledged && count < Self.countMax && now >= sentAt.advanced(by: time)
    }

    /// Whether nothing remains to be done for this delivery.
    func isSettled(at now: Timestamp) -> Bool {
        isAcknowledged || count >= Self.countMax && now >= sentAt.advanced(by: Self.patience)
    }
}
