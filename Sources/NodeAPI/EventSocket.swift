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
            _ = try authenticator.origins.check(RequestHead(head))
            // The route of the same path reports the fault.
            _ = try EventQuery(head.uri)
        } catch { return false }
        return await session(of: head) != nil
    }

    /// Serves one connection until a close frame, an error, or the end of the session or node.
    func serve(_ frames: WebChannel.Frames, _ head: HTTPRequestHead) async throws {
        let query = try EventQuery(head.uri)
        try await frames.executeThenClose { inbound, writer in
            let outbound = SocketWriter(writer)
            // The frames must be taken up to be released, even if the session has ended since.
            guard let (account, session) = await session(of: head) else {
                return try await Self.endSession(outbound)
            }
            guard places.enter(account) else { return try await Self.refuse(outbound) }
            defer { places.leave(account) }
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        switch query.source {
                        case .account:
                            let events = events.events(of: account, after: query.after)
                            try await send(events, outbound, session)
                        case .records:
                            let events = recordEvents.events(after: query.after)
                            try await send(events, outbound, session)
                        }
                    }
                    let watch = SocketWatch(clock: clock)
                    group.addTask { try await answer(inbound, outbound, watch, session) }
                    group.addTask {
                        try await watch.run { try await outbound.write($0) }
                        try await Self.close(.goingAway, "The client is silent.", outbound)
                    }
                    group.addTask {
                        for await _ in authenticator.accounts.sessionEnds() {
                            guard await authenticator.accounts.isOpen(session) else { break }
                        }
                        // At the end of the node the session is still open.
                        guard await !authenticator.accounts.isOpen(session) else { return }
                        try await Self.endSession(outbound)
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
        _ outbound: SocketWriter,
        _ session: SessionID
    ) async throws where Events.Element == Client.Event {
        for try await event in events {
            guard await authenticator.accounts.isOpen(session) else {
                return try await Self.endSession(outbound)
            }
            let data = ByteBuffer(bytes: try WireCoding.encoder().encode(event))
            try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: data))
        }
    }

    /// Closes a connection beyond the maximum of its account.
    ///
    /// Source: IANA, "WebSocket Close Code Number Registry", 1013.
    private static func refuse(
        _ outbound: SocketWriter
    ) async throws {
        let words = "An account can have at most \(SocketSlots.accountMax) of these; close one."
        try await close(.unknown(1_013), words, outbound)
    }

    /// Closes a connection whose session has ended, so that a client does not take it for a fault.
    ///
    /// Source: IANA, "WebSocket Close Code Number Registry", 3000.
    private static func endSession(
        _ outbound: SocketWriter
    ) async throws {
        try await close(.unknown(3_000), "The session has ended; sign in again.", outbound)
    }

    private static func close(
        _ code: WebSocketErrorCode,
        _ words: String,
        _ outbound: SocketWriter
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
    ///
    /// A text says that somebody works with the client, and keeps the session from going idle.
    private func answer(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: SocketWriter,
        _ watch: SocketWatch,
        _ session: SessionID
    ) async throws {
        for try await frame in inbound {
            watch.hear()
            guard frame.maskKey != nil else {
                let words = "Clients must mask their frames."
                return try await Self.close(.protocolError, words, outbound)
            }
            guard Self.isKnown(frame) else {
                return try await Self.close(.protocolError, "No such frame.", outbound)
            }
            switch frame.opcode {
            case .text:
                await authenticator.accounts.use(session)
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
    ) async -> (account: Address, session: SessionID)? {
        let found = try? await authenticator.caller(
            RequestHead(head),
            for: API.node.events.facts
        )
        guard let found, case .account(let address) = found.caller, let session = found.session
        else { return nil }
        return (address, session)
    }
}

/// Writes the frames of one connection, and none after a close frame: several tasks can end it at
/// the same moment.
///
/// Source: RFC 6455, section 5.5.1.
private final class SocketWriter: Sendable {
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private let isClosed = Mutex(false)

    init(_ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>) { self.outbound = outbound }

    func write(_ frame: WebSocketFrame) async throws {
        let isLate = isClosed.withLock { isClosed in
            defer { isClosed = isClosed || frame.opcode == .connectionClose }
            return isClosed
        }
        if !isLate { try await outbound.write(frame) }
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
