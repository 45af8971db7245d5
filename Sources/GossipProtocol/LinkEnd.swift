/// Why a link ended.
package enum LinkEnd: Error, Hashable, Sendable {
    /// This node ended it, for example because the node stops.
    case stopped
    /// A newer or preferred link to the same peer replaced it.
    case replaced
    /// No stream used it for a long time.
    case idle
    /// The peer announced the end, or closed its socket between two messages.
    case closedByPeer
    /// The socket failed, or closed unexpectedly.
    case lost
    /// The handshake took longer than allowed.
    case handshakeTimedOut
    /// The peer no longer answers pings.
    case silent
    /// A limit of this node refused it.
    case refused(LinkLimit)
    /// The peer broke the rules of protocol negotiation.
    case negotiation(MultistreamOffence)
    /// The peer does not speak TLS 1.3 with libp2p's certificates as required.
    case tls(TLSError)
    /// The peer broke the multiplexer's rules.
    case mux(YamuxOffence)
    /// Code above the links found a fault in the peer, for the reason named.
    case offended(String)
}

extension LinkEnd {
    /// Whether the peer caused the end by breaking a rule.
    package var isOffence: Bool {
        switch self {
        case .mux, .negotiation, .tls, .offended: true
        case .stopped, .replaced, .idle, .closedByPeer, .lost, .handshakeTimedOut, .silent,
            .refused:
            false
        }
    }

    /// A short constant name, used to count ends.
    package var label: String {
        switch self {
        case .stopped: "stopped"
        case .replaced: "replaced"
        case .idle: "idle"
        case .closedByPeer: "closed_by_peer"
        case .lost: "lost"
        case .handshakeTimedOut: "handshake_timed_out"
        case .silent: "silent"
        case .refused(let limit): "refused_\(limit.rawValue)"
        case .negotiation: "negotiation"
        case .tls(let error): "tls_\(error.label)"
        case .mux(let offence): "mux_\(offence.rawValue)"
        case .offended: "offended"
        }
    }
}

extension LinkEnd: CustomStringConvertible {
    /// Why the link ended and the next step, as the end of a sentence.
    package var description: String {
        switch self {
        case .stopped: "this node closed the link; it may be stopping"
        case .replaced: "another link to the same peer took its place; try again"
        case .idle: "nothing used the link; try again"
        case .closedByPeer: "the peer closed the link; it may be full or have banned this node"
        case .lost: "the connection broke; try again"
        case .handshakeTimedOut: "the program there did not finish the handshake; check the address"
        case .silent: "the peer no longer answers; try again"
        case .refused(let limit):
            "this node has reached its limit of \(limit.words); try again later"
        case .negotiation: "the program there is not a node; check the address"
        case .tls(.wrongPeer(let peer)):
            "the node there is \(peer.text), not the one named; correct the end of the address"
        case .tls(let error):
            "no secure connection was possible (\(error.label)); check that it is a node of this version"
        case .mux, .offended: "the peer broke the rules; check that it is a node of this version"
        }
    }
}
