import Concurrency
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// The meaning of socket and HTTP errors, without any text written by the endpoint.
extension RPCTransportError {
    /// Creates the error of a connection that failed.
    init(connecting error: any Error) {
        switch error {
        case let error as RPCTransportError: self = error
        case NIOWebSocketError.invalidFrameLength: self = .oversized
        case NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge: self = .oversized
        default: self = .unreachable(reason: Self.reason(of: error))
        }
    }

    /// Creates the error of an answer with another status than 200.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - retryAfter: The header of that name: seconds, or a date (RFC 9110, section 10.2.3).
    init(status: UInt, retryAfter: String?) {
        self.init(status: status, pause: retryAfter.flatMap(Self.pause))
    }

    /// As ``init(status:retryAfter:)``, with the pause that the endpoint asks for.
    init(status: UInt, pause: Duration?) {
        let isBusy = status == 429 || status == 503 && pause != nil
        self = isBusy ? .busy(status: status, retryAfter: pause) : .status(status)
    }

    /// Reads a `Retry-After` header.
    static func pause(_ text: String) -> Duration? {
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard text.utf8.count <= 64, let date = format.date(from: text) else { return nil }
        let seconds = date.timeIntervalSince(SystemWallClock().now)
        return .seconds(max(0, min(seconds, Double(UInt32.max))))
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as IOError: description(of: error)
        case let error as NIOConnectionError:
            (error.connectionErrors.first?.error as? IOError).map(description)
                ?? (error.connectionErrors.isEmpty ? "its name is not known" : "no connection")
        case ChannelError.connectTimeout: "no connection in time"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            "no TLS connection: its certificate is not valid, or it has no TLS"
        case is NIOHTTPClientUpgradeError: "it does not answer as a WebSocket"
        case is HTTPParserError: "it does not answer in HTTP"
        case ChannelError.inappropriateOperationForState, ChannelError.eof:
            "the connection ended before it was a WebSocket"
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            "it breaks the WebSocket protocol"
        default: "\(type(of: error))"
        }
    }

    /// The system's message, such as `Connection refused`.
    private static func description(of error: IOError) -> String {
        unsafe String(cString: strerror(error.errnoCode))
    }
}
