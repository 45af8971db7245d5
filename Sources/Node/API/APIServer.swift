import AccountAccess
import Answers
import Client
import Hummingbird
import HummingbirdCore
import Keys
import Logging
import NIOCore
import Records
import ServiceLifecycle

/// Serves the API until it is told to stop.
///
/// Source: RFC 9110; Docs/api.md, section 1.1.
struct APIServer: Sendable {
    /// Adds a service's routes below `/v1`.
    typealias Routes = @Sendable (RouterGroup<APIContext>) -> Void

    let host: String
    let port: Int
    let authenticator: Authenticator
    let events: AccountEventLog
    let recordEvents: RecordEvents
    let clockWatch: ClockWatch
    let limits: ConnectionLimits
    let routes: [Routes]
    /// Whether the node has a chain; without one, calls that need a chain are refused.
    let hasMarket: Bool
    let logger: Logger

    /// Returns the router with every route, which the API's document describes.
    func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadMiddleware())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: SafetyHeaders())
        router.add(middleware: BodyLimit())
        router.add(middleware: authenticator)
        router.add(middleware: QueryCheck())
        router.add(middleware: FeeMiddleware())
        router.add(middleware: ClockMiddleware(clockWatch: clockWatch))
        router.add(middleware: RequestLimiter())
        router.add(middleware: ContinueMiddleware())
        let group = router.group("v1")
        addDocumentRoutes(to: group)
        for add in routes { add(group) }
        let routed = Set(router.routes.map(\.description))
        let missing = API.all.filter { !routed.contains($0.route) }
        precondition(
            missing.allSatisfy { $0.readsChain && !hasMarket },
            "no handler: \(missing.map(\.route))"
        )
        for call in missing { group.on(call) { _, _ in throw Refusal.noMarket } }
        let unknown = routed.subtracting(API.all.map(\.route))
        precondition(unknown.isEmpty, "calls that the API does not have: \(unknown)")
        return router
    }

    /// Serves until cancelled or told to shut down gracefully.
    ///
    /// - Parameter ready: Called with the port, once the server listens on it.
    /// - Throws: The error that keeps it from listening.
    func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        let socket = EventSocket(
            authenticator: authenticator,
            events: events,
            recordEvents: recordEvents
        )
        let admission = ConnectionAdmission(limits: limits, logger: logger)
        try await WebChannel.serve(router(), on: host, port, logger, ready: ready) { responder in
            WebChannel(
                responder: responder,
                admission: admission,
                admits: { await socket.admits($0) },
                serve: { try await socket.serve($0, $1) }
            )
        }
    }
}

extension Refusal {
    /// The refusal of a call that needs a chain, on a node without one.
    fileprivate static let noMarket = Refusal(
        .chainAway,
        "This node is in no market: join one with 'stoa init --market FILE' in a new folder, "
            + "or set chain.deployment and chain.rpc and start the node again."
    )
}

/// Lends every call the watch of the machine's clock.
struct ClockMiddleware: RouterMiddleware {
    let clockWatch: ClockWatch

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.clockWatch = clockWatch
        return try await next(request, context)
    }
}

/// Tells browsers to run only what this node served.
///
/// Source: Content Security Policy Level 3; Fetch, "X-Content-Type-Options".
private struct SafetyHeaders: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // What others wrote has a policy of its own, which is stricter.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'self'; frame-ancestors 'none'"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
