import Foundation
import NIOCore
import NIOPosix

extension LinkError: CustomStringConvertible {
    /// The event and the action to take, as the end of a sentence.
    package var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "\(address) does not answer (\(reason)); check the address and that its node runs"
        case .cannotListen(let address, let reason):
            "\(address) cannot be listened on (\(reason)); choose another address with 'listen'"
                + (reason == socketReason(EADDRINUSE)
                    ? ", or end the program that holds the port" : "")
        case .ownAddress: "the address is this node's own; give another node's"
        case .notLinked(let peer): "there is no link to \(peer.text); try again in a moment"
        case .linkEnded(let end): "\(end)"
        case .full(let limit):
            "this node has reached its limit of \(limit.words); try again later"
        case .protocolsRefused(let names):
            "the peer does not speak \(names.joined(separator: " or ")); check that it is a node of "
                + "this version"
        case .negotiation: "the program there breaks the rules of libp2p; check the address"
        case .streamReset: "the exchange was cut short; try again"
        case .writeClosed: "this node has ended the exchange"
        case .timedOut: "no answer came in time; try again"
        case .messageTooLong(let byteCount):
            "the peer's message of \(byteCount) bytes is too long; check that it is a node of this "
                + "version"
        case .malformedLength, .cutOff: "the peer's answer is malformed; check the address"
        case .stalled: "the peer stopped in the middle of an answer; try again"
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

extension LinkLimit {
    fileprivate var words: String {
        switch self {
        case .links: "links"
        case .linksOfOneAddress: "links to one address"
        case .handshakesOfOneAddress: "handshakes from one address"
        case .reportedDials: "dials to addresses from other peers"
        case .handshakes: "running handshakes"
        case .streams: "streams"
        case .bytes: "waiting bytes"
        case .banned: "links to a banned address"
        }
    }
}

/// Returns the system's words for a number of its own, such as `Address already in use`.
private func socketReason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

/// Describes a socket error in the system's words, such as `Connection refused`.
func socketReason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: socketReason(error.errnoCode)
    case is SocketAddressError, is SocketAddressError.UnknownHost: "its name is not known"
    case let error as NIOConnectionError:
        error.connectionErrors.first.map { socketReason($0.error) } ?? "its name is not known"
    case ChannelError.connectTimeout: "no answer in time"
    default: "\(type(of: error))"
    }
}
