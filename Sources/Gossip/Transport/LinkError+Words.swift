import Foundation
import GossipProtocol
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
