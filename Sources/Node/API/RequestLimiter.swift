import Hummingbird
import Synchronization

/// Processes a few requests of each network elsewhere at a time; its others wait.
///
/// The network's connections limit how many wait, because a connection sends one request at a time.
/// This machine and the operator never wait.
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

    /// Waits for one of the network's turns.
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

    /// Ends a turn; the request that has waited longest gets it.
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
