import Foundation
import NIOCore
import NIOPosix

extension LinkError: CustomStringConvertible {
    /// What happened and what to do, as the end of a sentence.
    package var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "\(address) does not answer (\(reason)); check the address and that its node runs"
        case .cannotListen(let address, let reason):
            "\(address) cannot be listened on (\(reason)); choose another address with 'listen', "
                + "or end the program that holds the port"
        case .ownAddress: "the address is this node's own; give another node's"
        case .notLinked(let peer): "there is no link to \(peer.text); try again in a moment"
        case .linkEnded(let end): "\(end)"
        case .full(let limit):
            "this node has as many \(limit.words) as it allows itself; try again later"
        case .protocolsRefused(let names):
            "the peer does not speak \(names.joined(separator: " or ")); is it a node of this "
                + "version?"
        case .negotiation: "what answers there does not keep the rules of libp2p; is it a node?"
        case .streamReset: "the peer broke the exchange off; try again"
        case .writeClosed: "this node has ended the exchange"
        case .timedOut: "no answer came in time; try again"
        case .messageTooLong(let byteCount):
            "the peer sends a message of \(byteCount) bytes, which is too long; is it a node of "
                + "this version?"
        case .malformedLength, .cutOff: "the peer's answer is malformed; is it a node?"
        case .stalled: "the peer stopped in the middle of an answer; try again"
        }
    }
}

extension LinkEnd: CustomStringConvertible {
    /// Why the link ended and what to do, as the end of a sentence.
    package var description: String {
        switch self {
        case .stopped: "this node hung up; it may be stopping"
        case .replaced: "another link to the same peer took its place; try again"
        case .idle: "nothing used the link; try again"
        case .closedByPeer: "the peer hung up; it may be full or have banned this node"
        case .lost: "the connection broke; try again"
        case .handshakeTimedOut: "what answers there did not finish the handshake; is it a node?"
        case .silent: "the peer no longer answers; try again"
        case .refused(let limit):
            "this node has as many \(limit.words) as it allows itself; try again later"
        case .negotiation: "what answers there is no node; check the address"
        case .tls(.wrongPeer(let peer)):
            "the node there is \(peer.text), not the one named; correct the end of the address"
        case .tls(let error):
            "no secure connection came about (\(error.label)); is it a node of this version?"
        case .mux, .offended: "the peer broke the rules; is it a node of this version?"
        }
    }
}

extension LinkLimit {
    fileprivate var words: String {
        switch self {
        case .links: "links"
        case .linksOfOneAddress: "links to one address"
        case .handshakesOfOneAddress: "handshakes of one address"
        case .toldDials: "attempts to reach nodes that others told of"
        case .handshakes: "handshakes under way"
        case .streams: "streams"
        case .bytes: "bytes waiting"
        case .banned: "links to a banned address"
        }
    }
}

/// Why a socket failed, in the system's own words such as `Connection refused`.
func socketReason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: unsafe String(cString: strerror(error.errnoCode))
    case let error as NIOConnectionError:
        error.connectionErrors.first.map { socketReason($0.error) } ?? "its name is not known"
    case ChannelError.connectTimeout: "no answer in time"
    default: "\(type(of: error))"
    }
}
