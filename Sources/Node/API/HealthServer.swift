import Client
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Answers `/livez`, `/readyz` and `/metrics` on a separate port, for monitoring.
///
/// Without the operator's token, other machines and pages learn only whether the node is ready.
///
/// Source: Docs/operations.md, section 8.
struct HealthServer: Sendable {
    let host: String
    let port: Int
    /// Returns all metrics, in Prometheus's text format.
    let figures: @Sendable () async -> String
    /// Returns what the node is not ready for yet, and why; empty if it is ready.
    let obstacles: @Sendable () async -> [String]
    let authenticator: Authenticator
    let limits: ConnectionLimits
    let logger: Logger

    func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        let admission = ConnectionAdmission(limits: limits, logger: logger)
        try await WebChannel.serve(router(), on: host, port, logger, ready: ready) { responder in
            WebChannel(
                responder: responder,
                admission: admission,
                admits: { _ in false },
                serve: { _, _ in }
            )
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
