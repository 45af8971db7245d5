import Client
package import Concurrency
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import Setup

/// Answers `/livez`, `/readyz` and `/metrics` on a separate port, for monitoring.
///
/// Without the operator's token, other machines and pages learn only whether the node is ready.
///
/// Source: Docs/operations.md, section 8.
package struct HealthServer: Sendable {
    private let host: String
    private let port: Int
    private let figures: @Sendable () async -> String
    private let obstacles: @Sendable () async -> [String]
    private let authenticator: Authenticator
    private let limits: ConnectionLimits
    private let clock: any MonotonicClock
    private let logger: Logger

    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for one that the system assigns.
    ///   - figures: Returns all metrics, in Prometheus's text format.
    ///   - obstacles: Returns the reasons why the node is not ready yet; empty if it is ready.
    ///   - authenticator: Knows the operator.
    ///   - files: The number of files that the process can have open.
    ///   - clock: Monotonic time.
    ///   - logger: Gets what operators act on.
    package init(
        host: String,
        port: Int,
        figures: @escaping @Sendable () async -> String,
        obstacles: @escaping @Sendable () async -> [String],
        authenticator: Authenticator,
        files: Int,
        clock: any MonotonicClock,
        logger: Logger
    ) {
        (self.host, self.port, self.authenticator) = (host, port, authenticator)
        (self.figures, self.obstacles, self.logger) = (figures, obstacles, logger)
        limits = .health(files: files)
        self.clock = clock
    }

    /// Serves until cancelled or told to shut down gracefully.
    ///
    /// - Parameter ready: Called with the port, once the server listens on it.
    /// - Throws: The error that keeps it from listening.
    package func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        let admission = ConnectionAdmission(limits: limits, clock: clock, logger: logger)
        try await ListeningPort(setting: .healthPort, host: host, port: port).serve {
            try await WebChannel.serve(router(), on: host, port, logger, ready: ready) {
                responder in
                WebChannel(
                    responder: responder,
                    admission: admission,
                    admits: { _ in false },
                    serve: { _, _ in }
                )
            }
        }
    }

    private func router() -> Router<APIContext> {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadMiddleware())
        router.get("livez") { _, _ in "alive\n" }
        router.get("readyz") { request, context in
            var obstacles = await obstacles()
            if !obstacles.isEmpty, await !isTrusted(request, context) {
                obstacles = ["not ready"]
            }
            let text = obstacles.isEmpty ? "ready\n" : obstacles.joined(separator: "\n") + "\n"
            return Response(
                status: obstacles.isEmpty ? .ok : .serviceUnavailable,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
        router.get("metrics") { request, context in
            guard await isTrusted(request, context) else {
                return Response(
                    status: .forbidden,
                    headers: [.contentType: "text/plain; charset=utf-8"],
                    body: ResponseBody(
                        byteBuffer: ByteBuffer(string: "This needs the operator's token.\n")
                    )
                )
            }
            let text = await figures()
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
        return router
    }

    /// Returns whether the request comes from this machine or from the operator.
    private func isTrusted(_ request: Request, _ context: APIContext) async -> Bool {
        do {
            try await authenticator.check(.local, request, context)
            return true
        } catch {
            return false
        }
    }
}
