package import Keys
package import Market

/// What a home answers.
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
    /// Not without a proof of so much work.
    case workWanted(UInt64)

    /// Whether who asked was served, so that the link was of use.
    package var isOfUse: Bool {
        switch self {
        case .refused, .workWanted: false
        case .lease, .keys, .done, .held, .challenge, .collected: true
        }
    }
}

/// An envelope at a home, by the home's own count.
package struct WaitingEnvelope: Hashable, Sendable {
    package let number: UInt64
    package let envelope: MailEnvelope
    /// The home's name for where a stranger's mail came from; `nil` for mail under a grant.
    package let origin: Bytes32?

    package init(number: UInt64, envelope: MailEnvelope, origin: Bytes32? = nil) {
        (self.number, self.envelope, self.origin) = (number, envelope, origin)
    }
}

/// Why a home does not do what it is asked.
///
/// The numbers are on the wire and never change. Source: Docs/protocol.md, section 10.7.
package enum MailRefusal: UInt32, Error, CaseIterable, Sendable {
    /// The node is nobody's home but its own accounts'.
    case noHome = 1
    /// It keeps mail for as many accounts as it can.
    case full = 2
    /// It does not keep this account's mail (any more).
    case notKeptHere = 3
    /// The account has not certified this device, or has revoked it.
    case unknownDevice = 4
    /// The signature is not by who must have signed.
    case wrongSignature = 5
    /// Asked for at another time than now, by the home's clock.
    case clockOff = 6
    case otherNetwork = 7
    /// The envelope's time is over, or ends later than any home keeps mail.
    case wrongExpiry = 8
    /// As much waits for this recipient as the home keeps for one.
    case recipientOverQuota = 9
    /// As much of this sender waits at the home as it keeps of one.
    case senderOverQuota = 10
    /// Too many questions; ask again in a while.
    case tooOften = 11
    /// Who collects has not proved to be the account's device.
    case notProved = 12
    /// The home cannot do it now, for a reason of its own.
    case unable = 13
    /// As much mail of strangers waits for this recipient as the home keeps for one.
    case strangersOverQuota = 14
    /// It wants more work than was done; said by the asking side, of a price it does not pay.
    case workTooDear = 15
    /// More grants have ended than the home remembers for one account.
    case tooManyGrants = 16
}

extension MailRefusal {
    /// A short constant name, by which refusals are counted.
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
        }
    }
}

extension MailRefusal: CustomStringConvertible {
    /// For the person on whose behalf it was asked.
    package var description: String {
        switch self {
        case .noHome: "It keeps no mail of others. Ask another node."
        case .full: "It keeps mail for as many accounts as it can. Ask another node."
        case .notKeptHere: "It does not keep this account's mail."
        case .unknownDevice: "It does not know the device yet, or the device was revoked."
        case .wrongSignature: "It found a wrong signature."
        case .clockOff: "The clocks of the two nodes differ by more than ten minutes."
        case .otherNetwork: "It belongs to another network."
        case .wrongExpiry: "The message is too old, or was to be kept for too long."
        case .recipientOverQuota: "The recipient's mailbox there is full until it is collected."
        case .senderOverQuota: "Too much mail from this node waits there already."
        case .tooOften: "It was asked too often. It will be asked again in a while."
        case .notProved: "It does not believe that this is the account's device."
        case .unable: "It cannot do it now."
        case .strangersOverQuota:
            "Too much mail of senders whom the recipient has not answered waits there."
        case .workTooDear: "It wants more work of senders it does not know than this node does."
        case .tooManyGrants: "It does not remember so many blocked accounts."
        }
    }
}
