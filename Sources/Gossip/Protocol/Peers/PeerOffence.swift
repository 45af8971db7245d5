/// How often an offence is borne before the peer is banned.
///
/// An honest peer may have another version, a slow disk or bad luck; what none of them explains is
/// borne less often.
package enum OffenceTolerance: Int, Sendable, CaseIterable {
    /// No honest program does it: banned at once.
    case none = 100
    /// Banned at the fifth.
    case low = 20
    /// Banned at the tenth.
    case medium = 10
    /// Banned at the fiftieth.
    case high = 2

    /// What one offence adds; at 100 a peer is banned.
    package var weight: Int { rawValue }
}

/// Something a peer did that it must not, in any of this node's protocols.
package struct PeerOffence: Hashable, Sendable {
    /// A short constant name, by which offences are counted and shown.
    package let name: String
    package let tolerance: OffenceTolerance

    package init(_ name: String, _ tolerance: OffenceTolerance) {
        (self.name, self.tolerance) = (name, tolerance)
    }

    package init(_ offence: GossipRouter.Offence) {
        switch offence {
        case .unfitMessage: self.init("unfit_message", .low)
        case .rejectedMessage: self.init("rejected_message", .low)
        case .graftTooEarly: self.init("graft_too_early", .high)
        case .tooManyAnnouncements: self.init("too_many_announcements", .medium)
        case .tooManyTopics: self.init("too_many_topics", .medium)
        case .brokenPromise: self.init("broken_promise", .high)
        case .tooManyDuplicates: self.init("too_many_duplicates", .medium)
        case .unknownAsked: self.init("unknown_asked", .medium)
        case .emptyFrames: self.init("empty_frames", .medium)
        case .emptyFlood: self.init("empty_flood", .none)
        case .unusedBytes: self.init("unused_bytes", .medium)
        case .tooManyChanges: self.init("too_many_changes", .medium)
        }
    }

    package init(_ offence: ExchangeOffence) {
        let tolerance: OffenceTolerance =
            switch offence {
            case .malformed, .notAsked, .outOfOrder, .emptyPage, .oversized: .low
            case .otherRecord, .rejected: .low
            case .unproven, .foreignTopic: .medium
            case .greedy: .high
            }
        self.init("exchange_\(offence.rawValue)", tolerance)
    }

    /// What a peer did whose link ended for this reason; `nil` if it need not be at fault.
    package init?(_ end: LinkEnd) {
        switch end {
        case .mux(.tooManyStreams): self = .streamChurn
        case .mux, .tls(.tooManyKeyUpdates): self.init("broken_link", .low)
        case .stopped, .replaced, .idle, .closedByPeer, .lost, .handshakeTimedOut, .silent,
            .refused, .negotiation, .tls, .offended:
            return nil
        }
    }

    /// A question that a home refused; `nil` for what honest peers cannot know beforehand.
    package init?(_ refusal: MailRefusal) {
        switch refusal {
        case .wrongSignature, .wrongExpiry, .otherNetwork, .notProved, .tooOften:
            self.init("mail_\(refusal.name)", .high)
        case .noHome, .full, .notKeptHere, .unknownDevice, .clockOff, .recipientOverQuota,
            .senderOverQuota, .unable, .strangersOverQuota, .workTooDear, .tooManyGrants:
            return nil
        }
    }

    /// A frame that is no gossip.
    package static let malformedFrame = PeerOffence("malformed_frame", .low)
    /// A list of peers that is none, or whose records are not signed.
    package static let malformedPeers = PeerOffence("malformed_peers", .low)
    /// It opens streams, agrees on their protocol and resets them, over and over.
    package static let streamChurn = PeerOffence("stream_churn", .medium)
    /// It opens streams on which it agrees on no protocol, over and over.
    package static let fruitlessStreams = PeerOffence("fruitless_streams", .high)
    /// No question of the mail protocol.
    package static let malformedMail = PeerOffence("malformed_mail", .low)
    /// It asks again and again what costs this node work, such as who this node is.
    package static let tooManyQuestions = PeerOffence("too_many_questions", .high)
    /// It does not read what it asked for.
    package static let slowReader = PeerOffence("slow_reader", .medium)
}
