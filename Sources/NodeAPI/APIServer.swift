package import AccountAccess
import Answers
import Client
package import Concurrency
import Hummingbird
import HummingbirdCore
import Keys
package import Logging
import NIOCore
import Records
import ServiceLifecycle
import Setup

/// Serves the API until stopped.
///
/// Source: RFC 9110; Docs/api.md, section 1.1.
package struct APIServer: Sendable {
    private let host: String
    private let port: Int
    private let authenticator: Authenticator
    private let events: AccountEventLog
    private let services: APIServices
    private let page: PageFiles
    private let limits: ConnectionLimits
    private let clock: any MonotonicClock
    private let logger: Logger

    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for one that the system assigns.
    ///   - authenticator: Finds the caller of each call.
    ///   - events: The events that accounts receive over sockets.
    ///   - services: They answer the calls.
    ///   - page: The files of the page.
    ///   - files: The number of files that the process can have open.
    ///   - clock: Monotonic time.
    ///   - logger: Gets what operators act on.
    package init(
        host: String,
        port: Int,
        authenticator: Authenticator,
        events: AccountEventLog,
        services: APIServices,
        page: PageFiles,
        files: Int,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.host, self.port, self.authenticator) = (host, port, authenticator)
        (self.events, self.services, self.page, self.logger) = (events, services, page, logger)
        limits = .api(files: files)
        self.clock = clock
    }

    /// Returns the router with every route, which the API's document describes.
    private func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadMiddleware())
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: SafetyHeaders())
        router.add(middleware: BodyLimit())
        router.add(middleware: PageMiddleware(files: page, origins: authenticator.origins))
        router.add(middleware: CallerMiddleware(authenticator: authenticator))
        router.add(middleware: QueryCheck())
        router.add(middleware: FeeMiddleware())
        router.add(middleware: ClockMiddleware(clockWatch: services.report.clockWatch))
        router.add(middleware: RequestLimiter())
        router.add(middleware: ContinueMiddleware())
        let group = router.group("v1")
        addDocumentRoutes(to: group)
        services.addRoutes(to: group)
        let routed = Set(router.routes.map(\.description))
        let missing = API.all.filter { !routed.contains($0.route) }
        precondition(
            missing.allSatisfy { $0.readsChain && services.market == nil },
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
    package func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        let socket = EventSocket(
            authenticator: authenticator,
            events: events,
            recordEvents: RecordEvents(
                store: services.store,
                clock: clock,
                wallClock: services.clock
            ),
            clock: clock
        )
        let admission = ConnectionAdmission(limits: limits, clock: clock, logger: logger)
        try await ListeningPort(setting: .apiPort, host: host, port: port).serve {
            try await WebChannel.serve(router(), on: host, port, logger, ready: ready) {
                responder in
                WebChannel(
                    responder: responder,
                    admission: admission,
                    admits: { await socket.admits($0) },
                    serve: { try await socket.serve($0, $1) }
                )
            }
        }
    }
}

extension Refusal {
    /// The refusal of a call that needs a chain, on a node without one.
    fileprivate static let noMarket = Refusal(.chainAway, Sentence("refusal.joinMarket"))
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
        // Content written by others has its own, stricter policy.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = "default-src 'self'; frame-ancestors 'none'"
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
