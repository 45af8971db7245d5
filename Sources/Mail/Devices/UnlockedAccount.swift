package import AccountAccess
import Answers
package import Keys
import Market

/// The keys of an account while it is signed in, or of one that has left the delivery of its works
/// to the node: those write nothing but works.
package struct UnlockedAccount: Sendable {
    /// The key that signs as the account.
    enum Signer: Sendable {
        case signedIn(PrivateKey)
        case leftAlone(UnattendedKey)
    }

    package let account: Address
    let signer: Signer
    let device: PrivateKey
    package let seal: LocalSeal
    /// The devices that the account had here before the store was restored; mail still arrives for
    /// them.
    var former: [PrivateKey] = []

    /// The device's name in mail.
    package var slot: Bytes32 { DeviceCertificate.slot(of: device.publicKey) }

    /// The account with each device for which mail arrives here, the current one first.
    var readers: [UnlockedAccount] {
        [self]
            + former.map {
                UnlockedAccount(account: account, signer: signer, device: $0, seal: seal)
            }
    }

    /// Whether nobody is signed in, so that only works may be written.
    package var isLeftAlone: Bool {
        if case .leftAlone = signer { true } else { false }
    }

    /// The account's key.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` if nobody is signed in.
    package var key: PrivateKey {
        get throws {
            guard case .signedIn(let key) = signer else { throw Refusal.locked(account) }
            return key
        }
    }

    /// Refuses a message that the node must not write while nobody is signed in.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock` for all but works.
    func requireMayWrite(_ body: MailMessage.Body) throws(Refusal) {
        if case .work = body { return }
        if isLeftAlone { throw Refusal.locked(account) }
    }

    /// Signs a record of the account.
    ///
    /// While nobody is signed in, only those by which buyers reach this node: see
    /// ``RenewedRecord``.
    ///
    /// - Parameters:
    ///   - draft: The record.
    ///   - known: The profile that it replaces, if it is one.
    /// - Returns: The record, signed.
    /// - Throws: ``Refusal`` with `needs_unlock`, or ``RecordFault``.
    func signed(_ draft: RecordDraft, replacing known: Profile? = nil) throws -> SignedRecord {
        switch signer {
        case .signedIn(let key): return try draft.signed(by: key)
        case .leftAlone(let key):
            guard let record = RenewedRecord(draft, of: device.publicKey, replacing: known),
                let signature = key.sign(record)
            else { throw Refusal.locked(account) }
            return try draft.signed(with: signature)
        }
    }

    /// The secret from which the account's grants are derived; the same on each of its nodes.
    var grantSecret: Bytes32 { seal.digest([], for: .grants) }

    /// Returns the account's grant for another account.
    func grant(for other: Address) -> MailGrant {
        MailGrant(id: seal.digest(other.bytes, for: .grants), under: grantSecret)
    }

    /// Returns the key under which a contact is stored.
    func name(of other: Address) -> Bytes32 {
        seal.digest(other.bytes, for: .contactNames)
    }
}

extension LocalSeal.Context {
    static let contactNames = Self(bytes: Array("contact names".utf8))
    static let grants = Self(bytes: Array("grants".utf8))
    static let device = Self(bytes: Array("device".utf8))
    static let vaultKey = Self(bytes: Array("vault key".utf8))
    static func prekey(_ id: UInt32) -> Self { Self(bytes: Array("prekey \(id)".utf8)) }
    static func contact(_ name: Bytes32) -> Self {
        Self(bytes: Array("contact ".utf8) + name.bytes)
    }
    static func conversation(_ id: Bytes32) -> Self {
        Self(bytes: Array("conversation ".utf8) + id.bytes)
    }
    static func message(in conversation: Bytes32) -> Self {
        Self(bytes: Array("message ".utf8) + conversation.bytes)
    }
    static func outgoing(_ id: Bytes32) -> Self {
        Self(bytes: Array("outgoing ".utf8) + id.bytes)
    }
}
