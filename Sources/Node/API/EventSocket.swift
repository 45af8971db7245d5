import Client
import Foundation
import Hummingbird
import Keys
import NIOCore
import NIOHTTP1
import NIOWebSocket
import ServiceLifecycle

/// Sends an account's events over a WebSocket until either side ends it.
///
/// `GET /v1/events?after=<id>` continues behind an event seen before. Source: RFC 6455, sections
/// 5 and 7; Docs/operations.md, section "Events".
struct EventSocket: Sendable {
    static let path = "/v1/events"

    let authenticator: Authenticator
    let events: EventLog

    /// Tells whether a request may become a WebSocket; ``Access/account`` is asked of it.
    func admits(_ head: HTTPRequestHead) async -> Bool {
        guard head.uri.split(separator: "?").first.map(String.init) == Self.path else {
            return false
        }
        do {
            _ = try authenticator.origins.check(
                host: head.headers.first(name: "host"),
                origin: head.headers.first(name: "origin"),
                fetchSite: head.headers.first(name: "sec-fetch-site")
            )
        } catch { return false }
        return await session(of: head) != nil
    }

    /// Serves one connection; ends on its close frame, on an error, with the session, and when the
    /// node stops.
    func serve(_ frames: WebChannel.Frames, _ head: HTTPRequestHead) async throws {
        let after = Self.after(in: head.uri)
        try await frames.executeThenClose { inbound, outbound in
            // Frames that nobody took up could not be let go of: the session may have ended since.
            guard let (account, token) = await session(of: head) else { return }
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await event in events.events(of: account, after: after) {
                            // Whoever has signed out, or was signed out, hears no more.
                            guard await authenticator.accounts.isOpen(token: token) else { return }
                            let text = try WireCoding.encoder().encode(event)
                            let data = ByteBuffer(bytes: text)
                            try await outbound.write(
                                WebSocketFrame(fin: true, opcode: .text, data: data)
                            )
                        }
                    }
                    group.addTask { try await Self.answer(inbound, outbound) }
                    group.addTask {
                        for await _ in authenticator.accounts.endRings() {
                            guard await authenticator.accounts.isOpen(token: token) else { return }
                        }
                    }
                    _ = try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    /// Answers pings, and returns at the close frame or the end of the connection.
    private static func answer(
        _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws {
        for try await frame in inbound {
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

    private func session(
        of head: HTTPRequestHead
    ) async -> (account: Address, token: String)? {
        let authorization = head.headers.first(name: "authorization")
        guard let caller = try? await authenticator.caller(authorization: authorization),
            case .account(let address, let token) = caller
        else { return nil }
        return (address, token)
    }

    /// The number behind `after=`; without one, only what happens from now on.
    private static func after(in uri: String) -> UInt64? {
        URLComponents(string: uri)?.queryItems?
            .first { $0.name == "after" }?.value.flatMap(UInt64.init)
    }
}
