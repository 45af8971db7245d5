package import GossipProtocol
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
