import Hummingbird
import Synchronization

/// Lets each network elsewhere have a few requests worked on at a time; its others wait.
///
/// How many wait is bounded by the network's connections, because a connection asks one thing at
/// a time. Neither this machine nor the operator ever waits.
final class RequestLimiter: RouterMiddleware {
    static let networkMax = 4

    private struct Slots {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let networks = Mutex<[String: Slots]>([:])

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard case .elsewhere(let network) = context.place, context.caller != .operator else {
            return try await next(request, context)
        }
        await enter(network)
        defer { leave(network) }
        return try await next(request, context)
    }

    /// Waits for a turn of a network.
    func enter(_ network: String) async {
        await withCheckedContinuation { continuation in
            let mayRun = networks.withLock { networks in
                var slots = networks[network] ?? Slots()
                let mayRun = slots.count < Self.networkMax
                if mayRun { slots.count += 1 } else { slots.waiting.append(continuation) }
                networks[network] = slots
                return mayRun
            }
            if mayRun { continuation.resume() }
        }
    }

    /// Ends a turn: the longest waiting has it next.
    func leave(_ network: String) {
        let next = networks.withLock { networks -> CheckedContinuation<Void, Never>? in
            guard var slots = networks[network] else { return nil }
            if slots.waiting.isEmpty {
                slots.count -= 1
                networks[network] = slots.count > 0 ? slots : nil
                return nil
            }
            let next = slots.waiting.removeFirst()
            networks[network] = slots
            return next
        }
        next?.resume()
    }
}
