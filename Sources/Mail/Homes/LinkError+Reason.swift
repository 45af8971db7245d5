package import Client
package import Gossip
import GossipProtocol

extension LinkError {
    /// The error for the person who named a peer, and what to do about it.
    package var reason: Sentence {
        switch self {
        case .unreachable(_, let reason): Sentence("link.unreachable", ["reason": reason])
        case .ownAddress: Sentence("link.ownAddress")
        case .full(let limit): Sentence("link.full", ["limit": limit.words])
        case .protocolsRefused(let names):
            Sentence("link.otherProtocols", ["protocols": names.joined(separator: ", ")])
        case .negotiation: Sentence("link.otherProgram")
        case .streamReset: Sentence("link.cutShort")
        case .timedOut: Sentence("link.timedOut")
        case .messageTooLong(let byteCount):
            Sentence("link.tooLong", ["bytes": "\(byteCount)"])
        case .malformedLength, .cutOff: Sentence("link.malformed")
        case .stalled: Sentence("link.stalled")
        case .cannotListen, .notLinked, .linkEnded, .writeClosed:
            Sentence("link.ended", ["reason": "\(self)"])
        }
    }
}
