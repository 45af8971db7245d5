import Keys

/// How much of the stored mail counts against each quota.
///
/// Each stored envelope counts once against every quota of its source and host, and against no
/// other.
enum MailUsage: Table {
    typealias Key = CompositeKey<UInt8, Bytes32>
    typealias Value = MailLoad
    static let name = "mail-usage"

    /// Mail under grants that waits for an account.
    static func contacts(of account: Address) -> Key { CompositeKey(1, padded(account)) }
    /// Mail of strangers that waits for an account.
    static func strangers(of account: Address) -> Key { CompositeKey(2, padded(account)) }
    /// Mail under one grant of an account.
    static func grant(_ id: Bytes32, of account: Address) -> Key {
        CompositeKey(3, Keccak256.hash(account.bytes + id.bytes))
    }
    /// Strangers' mail from one origin to one account.
    static func origin(_ origin: Bytes32, to account: Address) -> Key {
        CompositeKey(4, Keccak256.hash(account.bytes + origin.bytes))
    }
    /// Strangers' mail that an account has opened, and whose senders are not proved yet.
    static func unproved(of account: Address) -> Key { CompositeKey(6, padded(account)) }
    /// Mail of unknown senders from one origin, to any account.
    static func origin(_ origin: Bytes32) -> Key { CompositeKey(5, origin) }

    /// Vaults of the accounts whose leases were requested from one origin, in slots of 4 KiB.
    static func vaults(from origin: Bytes32) -> Key { CompositeKey(14, origin) }

    private static func padded(_ account: Address) -> Bytes32 {
        let (word0, word1, word2) = account.words
        return Bytes32(words: 0, word0, word1, UInt64(word2))
    }
}

/// The two budgets: mail under grants, and mail of strangers.
enum MailClass: CaseIterable {
    case contacts, strangers

    /// Mail of the class for all local accounts, or for all guests.
    func all(isOwn: Bool) -> MailUsage.Key {
        switch self {
        case .contacts: CompositeKey(isOwn ? 8 : 9, .zero)
        case .strangers: CompositeKey(isOwn ? 10 : 11, .zero)
        }
    }

    /// Mail of the class for the accounts whose leases were asked for from one origin.
    func leases(from origin: Bytes32) -> MailUsage.Key {
        switch self {
        case .contacts: CompositeKey(12, origin)
        case .strangers: CompositeKey(13, origin)
        }
    }

    /// Mail of the class that waits for an account.
    func usage(of account: Address) -> MailUsage.Key {
        switch self {
        case .contacts: MailUsage.contacts(of: account)
        case .strangers: MailUsage.strangers(of: account)
        }
    }

    /// The maximum number that waits for one account.
    func part(_ limits: StoreLimits) -> MailLoad {
        switch self {
        case .contacts:
            MailLoad(envelopes: limits.recipientEnvelopesMax, bytes: limits.recipientBytesMax)
        case .strangers:
            MailLoad(envelopes: limits.strangersEnvelopesMax, bytes: limits.strangersBytesMax)
        }
    }

    func bytesMax(_ limits: StoreLimits) -> UInt64 {
        switch self {
        case .contacts: limits.contactsBytesMax
        case .strangers: limits.allStrangersBytesMax
        }
    }
}

extension MailHost {
    /// The budgets' keys in ``MailUsage``.
    func quotas(of kind: MailClass) -> [MailUsage.Key] {
        switch self {
        case .own: [kind.all(isOwn: true)]
        case .leased(let origin): [kind.all(isOwn: false), kind.leases(from: origin)]
        }
    }
}

extension MailSource {
    var kind: MailClass { if case .contact = self { .contacts } else { .strangers } }

    /// The recipient's and the depositor's keys in ``MailUsage``.
    func quotas(of recipient: Address) -> [MailUsage.Key] {
        switch self {
        case .contact(let grant):
            [MailUsage.contacts(of: recipient), MailUsage.grant(grant, of: recipient)]
        case .unproved: [MailUsage.unproved(of: recipient)]
        case .stranger(let origin):
            [
                MailUsage.strangers(of: recipient), MailUsage.origin(origin, to: recipient),
                MailUsage.origin(origin),
            ]
        }
    }
}

/// How many envelopes wait, and the bytes they take in the store.
package struct MailLoad: TableValue, Equatable, Sendable {
    package var envelopes: UInt64 = 0
    package var bytes: UInt64 = 0

    package init(envelopes: UInt64 = 0, bytes: UInt64 = 0) {
        (self.envelopes, self.bytes) = (envelopes, bytes)
    }

    /// The size of an envelope in the store: it begins on a new page, and its rows in the indexes
    /// and quotas take less than half a KiB.
    package static func weight(ofEnvelope byteCount: Int) -> UInt64 {
        UInt64((byteCount + 512 + pageByteCount - 1) / pageByteCount * pageByteCount)
    }

    private static let pageByteCount = 4_096

    /// Whether the load stays within `max` with one more envelope of that weight.
    func fits(_ weight: UInt64, in max: MailLoad) -> Bool {
        envelopes < max.envelopes && bytes + weight <= max.bytes
    }

    package var storedByteCount: Int { 16 }

    package func write(to writer: inout ByteWriter) { writer.write(envelopes, bytes) }

    package init(from reader: inout ByteReader) throws(FormError) {
        (envelopes, bytes) = try (reader.read(), reader.read())
    }
}

extension MailLoad {
    static func + (one: MailLoad, other: MailLoad) -> MailLoad {
        MailLoad(envelopes: one.envelopes + other.envelopes, bytes: one.bytes + other.bytes)
    }
}
