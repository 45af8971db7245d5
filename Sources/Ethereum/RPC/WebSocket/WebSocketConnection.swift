import Concurrency
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// One WebSocket to an endpoint, which all requests share; it opens when a request needs it.
///
/// If it ends, all open requests fail. The next request opens it again: at once if the connection
/// before was of use, else after a pause that grows with each failure.
final class WebSocketConnection: Sendable {
    typealias Answer = Result<[UInt8], RPCTransportError>

    private struct Waiting {
        let key: UInt64
        let resumption: CheckedContinuation<Answer, Never>
        /// The request, until the connection is open.
        var unsent: [UInt8]?
        /// The subscription that the request makes, if any.
        let heads: HeadSubscription?
    }

    private enum Phase {
        case closed
        case opening
        case open(any Channel)
    }

    private struct State {
        var phase = Phase.closed
        var multiplexer: RPCMultiplexer
        var waiting: [RPCMultiplexer.Ticket: Waiting] = [:]
        var subscriptions: [String: HeadSubscription] = [:]
        var pace: ReconnectPace
        /// The connections that were begun; events of earlier ones are ignored.
        var attempt = 0
        var keysGiven: UInt64 = 0
        /// Consecutive announcements without a request.
        var strays = 0
        var isShutDown = false

        /// Closes the connection's part of the state; returns the events to report.
        mutating func end() -> (waiting: [Waiting], subscriptions: [HeadSubscription]) {
            defer { (waiting, subscriptions, phase, strays) = ([:], [:], .closed, 0) }
            for ticket in waiting.keys { multiplexer.close(ticket) }
            return (Array(waiting.values), Array(subscriptions.values))
        }
    }

    let endpoint: Endpoint
    let limits: ChainLimits
    let tls: NIOSSLContext?
    private let clock: any MonotonicClock
    private let permits: AsyncSemaphore
    private let state: Mutex<State>

    init(
        _ endpoint: Endpoint,
        limits: ChainLimits,
        tls: NIOSSLContext?,
        clock: any MonotonicClock
    ) {
        (self.endpoint, self.limits, self.tls, self.clock) = (endpoint, limits, tls, clock)
        permits = AsyncSemaphore(unitsMax: limits.socketRequestsMax)
        state = Mutex(
            State(
                multiplexer: RPCMultiplexer(
                    requestsMax: limits.socketRequestsMax,
                    callsMax: limits.batchCallsMax
                ),
                pace: ReconnectPace(first: limits.retryFirst, last: limits.reconnectLast)
            )
        )
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - body: A call, or a batch of calls.
    ///   - heads: Gets the blocks that the endpoint announces, if the call subscribes to them.
    /// - Returns: The answer.
    /// - Throws: ``RPCTransportError``; `CancellationError`.
    func send(_ body: [UInt8], heads: HeadSubscription? = nil) async throws -> [UInt8] {
        let permit = try await permits.wait()
        defer { withExtendedLifetime(permit) {} }
        let key = state.withLock { state in
            state.keysGiven += 1
            return state.keysGiven
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                enqueue(body, Waiting(key: key, resumption: resumption, heads: heads))
            }
        } onCancel: {
            abandon(key)
        }
        try Task.checkCancellation()
        return try answer.get()
    }

    /// Closes the connection; later requests fail.
    func shutDown() {
        let (channel, ended) = state.withLock { state in
            state.isShutDown = true
            state.attempt += 1
            let channel: (any Channel)? =
                if case .open(let channel) = state.phase { channel } else { nil }
            return (channel, state.end())
        }
        channel?.close(promise: nil)
        tell(ended, .unreachable(reason: "this program is stopping"))
    }

    private enum Start {
        case wait
        case open(attempt: Int)
        case write(any Channel, [UInt8])
        case fail(RPCTransportError)
    }

    private func enqueue(_ body: [UInt8], _ request: Waiting) {
        let start = state.withLock { state -> Start in
            if state.isShutDown || Task.isCancelled {
                return .fail(.unreachable(reason: "the request was given up"))
            }
            if case .closed = state.phase, let reason = state.pace.reason(at: clock.uptime) {
                return .fail(.unreachable(reason: reason))
            }
            guard let (ticket, bytes) = state.multiplexer.open(body) else {
                return .fail(.unreachable(reason: "the request is not JSON-RPC"))
            }
            var request = request
            defer { state.waiting[ticket] = request }
            switch state.phase {
            case .open(let channel): return .write(channel, bytes)
            case .opening:
                request.unsent = bytes
                return .wait
            case .closed:
                request.unsent = bytes
                state.phase = .opening
                state.attempt += 1
                return .open(attempt: state.attempt)
            }
        }
        switch start {
        case .wait: break
        case .open(let attempt): open(attempt: attempt)
        case .write(let channel, let bytes): WebSocketFrames.send(bytes, over: channel)
        case .fail(let error): request.resumption.resume(returning: .failure(error))
        }
    }

    private func abandon(_ key: UInt64) {
        let waiting = state.withLock { state -> Waiting? in
            guard let ticket = state.waiting.first(where: { $0.value.key == key })?.key else {
                return nil
            }
            state.multiplexer.close(ticket)
            return state.waiting.removeValue(forKey: ticket)
        }
        waiting?.resumption.resume(returning: .failure(.timedOut))
    }

    private func tell(
        _ ended: (waiting: [Waiting], subscriptions: [HeadSubscription]),
        _ error: RPCTransportError
    ) {
        for subscription in ended.subscriptions { subscription.end() }
        for waiting in ended.waiting { waiting.resumption.resume(returning: .failure(error)) }
    }
}

/// An event of the connection's channel.
extension WebSocketConnection {
    /// The WebSocket is open: sends the waiting requests.
    func opened(_ channel: any Channel, attempt: Int) {
        let unsent = state.withLock { state -> [[UInt8]]? in
            guard attempt == state.attempt else { return nil }
            state.phase = .open(channel)
            return state.waiting.sorted { $0.value.key < $1.value.key }.compactMap { ticket, _ in
                defer { state.waiting[ticket]?.unsent = nil }
                return state.waiting[ticket]?.unsent
            }
        }
        guard let unsent else { return channel.close(promise: nil) }
        for bytes in unsent { WebSocketFrames.send(bytes, over: channel) }
    }

    /// Handles a whole message.
    ///
    /// - Returns: How the endpoint broke the protocol, so that the connection must end.
    func received(_ bytes: [UInt8], attempt: Int) -> String? {
        enum Outcome {
            case none
            case answer(Waiting)
            case violation(String)
        }
        let outcome = state.withLock { state -> (Outcome, [UInt8]) in
            guard attempt == state.attempt else { return (.none, []) }
            switch state.multiplexer.receive(bytes) {
            case .answer(let ticket, let answer):
                guard let waiting = state.waiting.removeValue(forKey: ticket) else {
                    return (.none, [])
                }
                state.pace.wasOfUse()
                state.strays = 0
                // Before the next message, which may be the first notification.
                if let heads = waiting.heads, let id = HeadNotification.subscription(in: answer) {
                    state.subscriptions[id] = heads
                }
                return (.answer(waiting), answer)
            case .notification:
                guard bytes.count <= limits.announcementBytesMax else {
                    return (.violation("an announcement that is too long"), [])
                }
                guard let found = HeadNotification(bytes),
                    let heads = state.subscriptions[found.subscription]
                else {
                    state.strays += 1
                    let isTooMuch = state.strays > RPCMultiplexer.straysMax
                    return (isTooMuch ? .violation("announcements without end") : .none, [])
                }
                if !heads.isFull { heads.add(found.head()) }
                return (.none, [])
            case .late: return (.none, [])
            case .violation(let detail): return (.violation(detail), [])
            }
        }
        switch outcome.0 {
        case .none: return nil
        case .answer(let waiting):
            waiting.resumption.resume(returning: .success(outcome.1))
            return nil
        case .violation(let detail): return detail
        }
    }

    /// The connection failed or ended: all open requests fail.
    func ended(_ error: RPCTransportError, attempt: Int) {
        let ended = state.withLock { state -> (waiting: [Waiting], [HeadSubscription])? in
            guard attempt == state.attempt else { return nil }
            // Whatever this channel still reports is ignored.
            state.attempt += 1
            state.pace.ended(error, at: clock.uptime)
            return state.end()
        }
        if let ended { tell(ended, error) }
    }
}
