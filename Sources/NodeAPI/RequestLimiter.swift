import Concurrency
import Hummingbird
import Synchronization

/// Processes a few requests of each network elsewhere at a time; its others wait.
///
/// The network's connections limit how many wait, because a connection sends one request at a time.
/// This machine and the operator never wait.
final class RequestLimiter: RouterMiddleware {
    static let networkMax = 4

    /// The requests of a network that are processed or wait.
    private struct Requests {
        let semaphore = AsyncSemaphore(unitsMax: networkMax)
        var count = 0
    }

    private let networks = Mutex<[String: Requests]>([:])

    /// The number of networks with requests.
    var networkCount: Int { networks.withLock { $0.count } }

    /// The number of a network's requests that wait.
    func waitingCount(of network: String) -> Int {
        networks.withLock { $0[network]?.semaphore.waitingCount ?? 0 }
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard case .elsewhere(let network) = context.place, context.caller != .operator else {
            return try await next(request, context)
        }
        return try await limited(network) { try await next(request, context) }
    }

    /// Runs `body` once fewer than the maximum of the network's requests are processed.
    ///
    /// - Throws: `CancellationError` if cancelled while it waits; what `body` throws.
    func limited<Answer: Sendable>(
        _ network: String,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        let semaphore = networks.withLock { networks in
            networks[network, default: Requests()].count += 1
            return networks[network]?.semaphore
        }
        defer { leave(network) }
        let permit = try await semaphore?.wait()
        defer { withExtendedLifetime(permit) {} }
        return try await body()
    }

    private func leave(_ network: String) {
        networks.withLock { networks in
            networks[network]?.count -= 1
            if networks[network]?.count == 0 { networks[network] = nil }
        }
    }
}
