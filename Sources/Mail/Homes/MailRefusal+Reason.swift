import Client
import Gossip
import GossipProtocol

extension MailRefusal {
    /// Why the home refused, for the person who asked it.
    var reason: Sentence {
        switch self {
        case .noHome: Sentence("refusal.homeNoHome")
        case .full: Sentence("refusal.homeFull")
        case .notKeptHere: Sentence("refusal.homeNotKept")
        case .unknownDevice: Sentence("refusal.homeUnknownDevice")
        case .wrongSignature: Sentence("refusal.homeWrongSignature")
        case .clockOff: Sentence("refusal.homeClockOff")
        case .otherNetwork: Sentence("refusal.homeOtherNetwork")
        case .wrongExpiry: Sentence("refusal.homeWrongExpiry")
        case .recipientOverQuota: Sentence("refusal.homeRecipientFull")
        case .senderOverQuota: Sentence("refusal.homeSenderFull")
        case .tooOften: Sentence("refusal.homeTooOften")
        case .notProved: Sentence("refusal.homeNotProved")
        case .unable: Sentence("refusal.homeUnable")
        case .strangersOverQuota: Sentence("refusal.homeStrangersFull")
        case .workTooDear: Sentence("refusal.homeWorkTooDear")
        case .tooManyGrants: Sentence("refusal.homeManyGrants")
        case .vaultOverQuota: Sentence("refusal.homeVaultFull")
        }
    }
}

extension MailAnswerFault {
    /// The fault of the answer of a home.
    var reason: Sentence {
        switch self {
        case .otherKind: Sentence("refusal.homeOtherAnswer")
        case .notSignedByHome: Sentence("refusal.homeUnsigned")
        case .leaseTooShort: Sentence("refusal.homeShortLease")
        }
    }
}
