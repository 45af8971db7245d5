package import AccountAccess
package import Keys
import Market

/// The keys of an account while it is signed in.
package struct UnlockedAccount: Sendable {
    package let account: Address
    package let key: PrivateKey
    let device: PrivateKey
    package let seal: LocalSeal
    /// The devices that the account had here before the store was restored; mail still arrives for
    /// them.
    var former: [PrivateKey] = []

    /// The device's name in mail.
    var slot: Bytes32 { DeviceCertificate.slot(of: device.publicKey) }

    /// The account with each device for which mail arrives here, the current one first.
    var readers: [UnlockedAccount] {
        [self] + former.map { UnlockedAccount(account: account, key: key, device: $0, seal: seal) }
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
