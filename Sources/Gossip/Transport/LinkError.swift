package import Market

/// Why a link or a stream could not do what was asked.
package enum LinkError: Error, Equatable, Sendable {
    /// No socket could be opened there: is the address right, and the peer running?
    case unreachable(Multiaddr, reason: String)
    /// The port cannot be listened on: choose another, or end the program that holds it.
    case cannotListen(Multiaddr, reason: String)
    /// The address leads back to this node.
    case ownAddress
    /// There is no link to this peer; dial it first.
    case notLinked(PeerID)
    /// The link ended before or during the call.
    case linkEnded(LinkEnd)
    /// This node has as many links or streams as it allows itself.
    case full(LinkLimit)
    /// The peer speaks none of the protocols asked for.
    case protocolsRefused([String])
    /// The peer does not keep the rules by which a stream's protocol is agreed.
    case negotiation(MultistreamOffence)
    /// The stream was reset, by either side.
    case streamReset
    /// This side's half of the stream is closed already.
    case writeClosed
    /// Nothing arrived, or nothing could be sent, in the time allowed.
    case timedOut
    /// The peer announced a message longer than the protocol allows.
    case messageTooLong(byteCount: UInt64)
    /// The length before a message is not a number in its shortest form.
    case malformedLength
    /// The peer ended in the middle of a message.
    case cutOff
    /// The peer began a message and did not end it in time.
    case stalled
}

/// A bound that kept something from being opened.
package enum LinkLimit: String, Equatable, Sendable {
    case links
    case linksOfOneAddress
    /// Dials on strangers' word.
    case toldDials
    case handshakes
    /// Begun lately, in an address or its subnet.
    case handshakesOfOneAddress
    case streams
    /// Bytes that wait for this node's tasks.
    case bytes
    /// The address is banned for what came from it.
    case banned
}

/// Why a link ended.
package enum LinkEnd: Error, Hashable, Sendable {
    /// This node was asked to, for example because it stops.
    case stopped
    /// A newer or preferred link to the same peer took its place.
    case replaced
    /// Nothing used it for long.
    case idle
    /// The peer said goodbye, or closed its socket between two messages.
    case closedByPeer
    /// The socket failed, or closed in the middle of something.
    case lost
    /// The handshake took longer than allowed.
    case handshakeTimedOut
    /// The peer no longer answers pings.
    case silent
    /// A bound of this node refused it.
    case refused(LinkLimit)
    /// The peer broke the rules for agreeing on a protocol.
    case negotiation(MultistreamOffence)
    /// The peer does not speak TLS 1.3 with libp2p's certificates as required.
    case tls(TLSError)
    /// The peer broke the multiplexer's rules.
    case mux(YamuxOffence)
    /// Somebody above found the peer unfit, for the reason named.
    case offended(String)
}

extension LinkEnd {
    /// A short constant name, by which ends are counted.
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
