package import Keys
package import Market

/// A home's answer to a question.
///
/// Source: Docs/protocol.md, section 10.6.
package enum MailAnswer: Hashable, Sendable {
    case refused(MailRefusal)
    case lease(HomeLease)
    case keys(bundles: [[UInt8]], records: [[UInt8]])
    case done
    /// The home's signature over the hash of the envelope it keeps.
    case held(Signature)
    case challenge(Bytes32)
    case collected([WaitingEnvelope])
    /// Ask again with a proof of this much work.
    case workWanted(UInt64)
    /// The home's part of a vault, and the segments that the asking device lacks.
    case vault([VaultLogMark], [VaultSegment])

    /// Whether the question was served, which makes the link useful.
    package var isOfUse: Bool {
        switch self {
        case .refused, .workWanted: false
        case .lease, .keys, .done, .held, .challenge, .collected, .vault: true
        }
    }
}

/// An envelope that waits at a home, with the home's number for it.
package struct WaitingEnvelope: Hashable, Sendable {
    package let number: UInt64
    package let envelope: MailEnvelope
    /// The home's identifier of the origin of a stranger's mail; `nil` for mail under a grant.
    package let origin: Bytes32?

    package init(number: UInt64, envelope: MailEnvelope, origin: Bytes32? = nil) {
        (self.number, self.envelope, self.origin) = (number, envelope, origin)
    }
}

/// Why a home refuses a question.
///
/// The numbers are on the wire and never change.
///
/// Source: Docs/protocol.md, section 10.7.
package enum MailRefusal: UInt32, Error, CaseIterable, Sendable {
    /// The node is a home only for its own accounts.
    case noHome = 1
    /// The home has granted as many leases as it can.
    case full = 2
    /// It does not keep this account's mail, or no longer does.
    case notKeptHere = 3
    /// The account has not certified this device, or has revoked it.
    case unknownDevice = 4
    /// The signature is not by the required key.
    case wrongSignature = 5
    /// The question's time differs too much from the home's clock.
    case clockOff = 6
    case otherNetwork = 7
    /// The envelope has expired, or expires later than any home keeps mail.
    case wrongExpiry = 8
    /// The home's quota for this recipient is used up.
    case recipientOverQuota = 9
    /// The home's quota for this sender is used up.
    case senderOverQuota = 10
    /// Too many questions; ask again in a while.
    case tooOften = 11
    /// The collector has not proved to be the account's device.
    case notProved = 12
    /// An internal error of the home.
    case unable = 13
    /// The home's quota of mail from strangers for this recipient is used up.
    case strangersOverQuota = 14
    /// The home demands more work than the asking side is willing to do; set by the asking side.
    case workTooDear = 15
    /// More grants have ended than the home stores for one account.
    case tooManyGrants = 16
    /// The home's quota for vaults, of this account or of all, is used up.
    case vaultOverQuota = 17
}

extension MailRefusal {
    /// A short constant name, used to count refusals.
    package var name: String {
        switch self {
        case .noHome: "no_home"
        case .full: "full"
        case .notKeptHere: "not_kept_here"
        case .unknownDevice: "unknown_device"
        case .wrongSignature: "wrong_signature"
        case .clockOff: "clock_off"
        case .otherNetwork: "other_network"
        case .wrongExpiry: "wrong_expiry"
        case .recipientOverQuota: "recipient_over_quota"
        case .senderOverQuota: "sender_over_quota"
        case .tooOften: "too_often"
        case .notProved: "not_proved"
        case .unable: "unable"
        case .strangersOverQuota: "strangers_over_quota"
        case .workTooDear: "work_too_dear"
        case .tooManyGrants: "too_many_grants"
        case .vaultOverQuota: "vault_over_quota"
        }
    }
}
