package import Market

/// Why an operation on a link or a stream failed.
package enum LinkError: Error, Equatable, Sendable {
    /// The socket could not be opened: check the address, and that the peer runs.
    case unreachable(Multiaddr, reason: String)
    /// This node cannot listen on the port: choose another, or end the program that uses it.
    case cannotListen(Multiaddr, reason: String)
    /// The address leads back to this node.
    case ownAddress
    /// There is no link to this peer; dial it first.
    case notLinked(PeerID)
    /// The link ended before or during the call.
    case linkEnded(LinkEnd)
    /// This node has reached a limit.
    case full(LinkLimit)
    /// The peer speaks none of the protocols asked for.
    case protocolsRefused([String])
    /// The peer broke the rules of protocol negotiation.
    case negotiation(MultistreamOffence)
    /// The stream was reset, by either side.
    case streamReset
    /// This node closed its half of the stream earlier.
    case writeClosed
    /// Nothing could be read or written in the time allowed.
    case timedOut
    /// The peer announced a message longer than the protocol allows.
    case messageTooLong(byteCount: UInt64)
    /// The length before a message is not a number in its shortest form.
    case malformedLength
    /// The peer closed the stream in the middle of a message.
    case cutOff
    /// The peer began a message and did not complete it in time.
    case stalled
}

/// The limit that prevented an opening.
package enum LinkLimit: String, Equatable, Sendable {
    case links
    case linksOfOneAddress
    /// Dials to addresses that other peers reported.
    case reportedDials
    case handshakes
    /// Handshakes begun recently by one address or its subnet.
    case handshakesOfOneAddress
    case streams
    /// Received bytes that no task of this node has handled.
    case bytes
    /// The address is banned for an offence.
    case banned
}

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
    var isOffence: Bool {
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
