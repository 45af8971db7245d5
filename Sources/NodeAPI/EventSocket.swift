import AccountAccess
import Answers
import Client
import Concurrency
import Foundation
import Hummingbird
import Keys
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Records
import ServiceLifecycle
import Synchronization

/// Sends events over a WebSocket until either side ends it: those of the signed-in account, or
/// those of the records that arrive here.
///
/// `GET /v1/events?after=<id>` continues after an event seen before. Source: RFC 6455, sections 5
/// and 7; Docs/api.md, section 1.3.
struct EventSocket: Sendable {
    static let path = "/v1/events"
    /// The supported version of the WebSocket protocol.
    static let version = "13"

    let authenticator: Authenticator
    let events: AccountEventLog
    let recordEvents: RecordEvents
    let clock: any MonotonicClock
    private let places = SocketSlots()

    init(
        authenticator: Authenticator,
        events: AccountEventLog,
        recordEvents: RecordEvents,
        clock: any MonotonicClock
    ) {
        (self.authenticator, self.clock) = (authenticator, clock)
        (self.events, self.recordEvents) = (events, recordEvents)
    }

    /// Returns whether a request may become a WebSocket, which needs ``Access/account``.
    func admits(_ head: HTTPRequestHead) async -> Bool {
        guard head.method == .GET,
            head.uri.split(separator: "?").first.map(String.init) == Self.path
        else { return false }
        let headers = head.headers
        guard headers[canonicalForm: "sec-websocket-version"] == [Self.version[...]],
            headers[canonicalForm: "sec-websocket-key"].count == 1
        else { return false }
        do {
            _ = try authenticator.origins.check(
                host: head.headers.first(name: "host"),
                origin: head.headers.first(name: "origin"),
                fetchSite: head.headers.first(name: "sec-fetch-site")
            )
            // The route of the same path reports the fault.
            _ = try EventQuery(head.uri)
        } catch { return false }
        return await session(of: head) != nil
    }

    /// Serves one connection until a close frame, an error, or the end of the session or node.
    func serve(_ frames: WebChannel.Frames, _ head: HTTPRequestHead) async throws {
        let query = try EventQuery(head.uri)
        try await frames.executeThenClose { inbound, outbound in
            // The frames must be taken up to be released, even if the session has ended since.
            guard let (account, token) = await session(of: head) else { return }
            guard places.enter(account) else { return try await Self.refuse(outbound) }
            defer { places.leave(account) }
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        switch query.source {
                        case .account:
                            let events = events.events(of: account, after: query.after)
                            try await send(events, outbound, token)
                        case .records:
                            try await send(recordEvents.events(after: query.after), outbound, token)
                        }
                    }
                    let watch = SocketWatch(clock: clock)
                    group.addTask { try await Self.answer(inbound, outbound, watch) }
                    group.addTask {
                        try await watch.run { try await outbound.write($0) }
                        try await Self.close(.goingAway, "The client is silent.", outbound)
                    }
                    group.addTask {
                        for await _ in authenticator.accounts.sessionEnds() {
                            guard await authenticator.accounts.isOpen(token: token) else { return }
                        }
                    }
                    _ = try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    /// Sends events until none is left, or the session has ended.
    private func send<Events: AsyncSequence>(
        _ events: Events,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        _ token: String
    ) async throws where Events.Element == Client.Event {
        for try await event in events {
            guard await authenticator.accounts.isOpen(token: token) else { return }
            let data = ByteBuffer(bytes: try WireCoding.encoder().encode(event))
            try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: data))
        }
    }

    /// Closes a connection beyond the maximum of its account.
    ///
    /// Source: IANA, "WebSocket Close Code Number Registry", 1013.
    private static func refuse(
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        let words = "An account can have at most \(SocketSlots.accountMax) of these; close one."
        try await close(.unknown(1_013), words, outbound)
    }

    private static func close(
        _ code: WebSocketErrorCode,
        _ words: String,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        try await outbound.write(closing(code, words))
    }

    /// Returns a close frame.
    static func closing(_ code: WebSocketErrorCode, _ words: String) -> WebSocketFrame {
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        data.writeString(words)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }

    /// Answers pings; returns at a close frame, an invalid frame or the end of the connection.
    private static func answer(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>,
        _ watch: SocketWatch
    ) async throws {
        for try await frame in inbound {
            watch.hear()
            guard frame.maskKey != nil else {
                return try await close(.protocolError, "Clients must mask their frames.", outbound)
            }
            guard isKnown(frame) else {
                return try await close(.protocolError, "No such frame.", outbound)
            }
            switch frame.opcode {
            case .ping:
                try await outbound.write(
                    WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
                )
            case .connectionClose:
                try await outbound.write(
                    WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
                )
                return
            default:
                continue
            }
        }
    }

    /// Source: RFC 6455, section 5.2.
    private static func isKnown(_ frame: WebSocketFrame) -> Bool {
        let known: [WebSocketOpcode] = [
            .continuation, .text, .binary, .connectionClose, .ping, .pong,
        ]
        return known.contains(frame.opcode) && !frame.rsv1 && !frame.rsv2 && !frame.rsv3
    }

    private func session(
        of head: HTTPRequestHead
    ) async -> (account: Address, token: String)? {
        let authorization = head.headers.first(name: "authorization")
        guard let caller = try? await authenticator.caller(authorization: authorization),
            case .account(let address, let token) = caller
        else { return nil }
        return (address, token)
    }
}

/// Counts the WebSockets of each account.
private final class SocketSlots: Sendable {
    static let accountMax = 16

    private let counts = Mutex<[Address: Int]>([:])

    func enter(_ account: Address) -> Bool {
        counts.withLock { counts in
            guard counts[account, default: 0] < Self.accountMax else { return false }
            counts[account, default: 0] += 1
            return true
        }
    }

    func leave(_ account: Address) {
        counts.withLock { counts in
            let left = counts[account, default: 0] - 1
            counts[account] = left > 0 ? left : nil
        }
    }
}
