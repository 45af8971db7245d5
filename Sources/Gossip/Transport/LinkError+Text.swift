/// What links and streams could not do, in words for people.
extension LinkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let address, let reason): "no connection to \(address): \(reason)"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .ownAddress: "the address is this node's own"
        case .notLinked(let peer): "there is no link to \(peer.text)"
        case .linkEnded(let end): "the link ended: \(end)"
        case .full(let limit): "this node's limit of \(limit.words) is reached"
        case .protocolsRefused(let names):
            "the peer does not speak \(names.joined(separator: " or "))"
        case .negotiation: "the peer does not keep the rules by which a protocol is agreed on"
        case .streamReset: "the peer or this node broke the conversation off"
        case .writeClosed: "this side has ended the conversation already"
        case .timedOut: "no answer came in time"
        case .messageTooLong(let byteCount): "a message of \(byteCount) bytes is too long"
        case .malformedLength: "a message's length is malformed"
        case .cutOff: "the peer ended in the middle of a message"
        }
    }
}

extension LinkEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stopped: "this node ended it"
        case .replaced: "another link to the same peer took its place"
        case .idle: "nothing used it"
        case .closedByPeer: "the peer closed it"
        case .lost: "the connection broke"
        case .handshakeTimedOut: "the handshake took too long"
        case .silent: "the peer answers no more"
        case .refused(let limit): "this node's limit of \(limit.words) is reached"
        case .negotiation: "the peer does not speak this protocol"
        case .tls(.wrongPeer(let found)): "another peer answered, \(found.text)"
        case .tls(let error): "the peer could not prove who it is (\(error.label))"
        case .mux(let offence): "the peer broke a rule (\(offence.rawValue))"
        case .offended(let reason): "the peer was found unfit: \(reason)"
        }
    }
}

extension LinkLimit {
    fileprivate var words: String {
        switch self {
        case .links: "links"
        case .linksOfOneAddress: "links from one address"
        case .handshakes: "handshakes"
        case .streams: "streams"
        }
    }
}
