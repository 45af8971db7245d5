/// How often a peer may commit an offence before it is banned.
///
/// An honest peer may run another version, have a slow disk or bad luck; what none of these
/// explains is tolerated less often.
package enum OffenceTolerance: Int, Sendable, CaseIterable {
    /// No honest program does it: banned the first time.
    case none = 100
    /// Banned the fifth time.
    case low = 20
    /// Banned the tenth time.
    case medium = 10
    /// Banned the fiftieth time.
    case high = 2

    /// The weight of one offence; at 100 a peer is banned.
    package var weight: Int { rawValue }
}

/// A peer's breach of the rules of any of this node's protocols.
package struct PeerOffence: Hashable, Sendable {
    /// A short constant name, used to count and show offences.
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
            case .unproven, .unheld, .foreignTopic: .medium
            case .greedy: .high
            }
        self.init("exchange_\(offence.rawValue)", tolerance)
    }

    /// The offence behind a link's end; `nil` if the peer need not be at fault.
    package init?(_ end: LinkEnd) {
        switch end {
        case .mux(.tooManyStreams): self = .streamChurn
        case .mux, .tls(.tooManyKeyUpdates): self.init("broken_link", .low)
        case .stopped, .replaced, .idle, .closedByPeer, .lost, .handshakeTimedOut, .silent,
            .refused, .negotiation, .tls, .offended:
            return nil
        }
    }

    /// The offence of a question that a home refused.
    ///
    /// `nil` if an honest peer could not know beforehand.
    package init?(_ refusal: MailRefusal) {
        switch refusal {
        case .wrongSignature, .wrongExpiry, .otherNetwork, .notProved, .tooOften:
            self.init("mail_\(refusal.name)", .high)
        case .noHome, .full, .notKeptHere, .unknownDevice, .clockOff, .recipientOverQuota,
            .senderOverQuota, .unable, .strangersOverQuota, .workTooDear, .tooManyGrants,
            .vaultOverQuota:
            return nil
        }
    }

    /// A frame that is not valid gossip.
    package static let malformedFrame = PeerOffence("malformed_frame", .low)
    /// A list of peers that is malformed or has unsigned records.
    package static let malformedPeers = PeerOffence("malformed_peers", .low)
    /// It repeatedly opens streams, agrees on their protocol and resets them.
    package static let streamChurn = PeerOffence("stream_churn", .medium)
    /// It sends frames or records of TLS with little or nothing in them, without pause.
    package static let smallPieces = PeerOffence("small_pieces", .medium)
    /// It repeatedly opens streams and agrees on no protocol.
    package static let fruitlessStreams = PeerOffence("fruitless_streams", .high)
    /// A malformed question of the mail protocol.
    package static let malformedMail = PeerOffence("malformed_mail", .low)
    /// A malformed or over-long message of the blob protocol.
    package static let malformedBlob = PeerOffence("malformed_blob", .low)
    /// A chunk that does not belong to the blob that was asked for.
    package static let wrongBlob = PeerOffence("wrong_blob", .low)
    /// It began to answer with a blob's chunks and then stopped.
    package static let withheldBlob = PeerOffence("withheld_blob", .high)
    /// It takes too long for a blob's next chunk.
    package static let slowBlob = PeerOffence("slow_blob", .high)
    /// It repeatedly asks questions that cost this node work, such as identify.
    package static let tooManyQuestions = PeerOffence("too_many_questions", .high)
    /// It does not read the answers it asked for.
    package static let slowReader = PeerOffence("slow_reader", .medium)
}
