import Client
import Hummingbird
import Logging
import NIOCore

/// Answers `/livez`, `/readyz` and `/metrics` on a port of their own, for whoever watches the node.
///
/// Source: Docs/operations.md, section "Health and metrics".
struct HealthServer: Sendable {
    let host: String
    let port: Int
    /// All figures, in Prometheus' text format.
    let figures: @Sendable () async -> String
    /// What the node is not ready for yet and why; nothing where it is ready.
    let obstacles: @Sendable () async -> [String]
    let logger: Logger

    func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        let router = Router()
        router.get("livez") { _, _ in "alive\n" }
        router.get("readyz") { _, _ in
            let obstacles = await obstacles()
            let text = obstacles.isEmpty ? "ready\n" : obstacles.joined(separator: "\n") + "\n"
            return Response(
                status: obstacles.isEmpty ? .ok : .serviceUnavailable,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
        router.get("metrics") { _, _ in
            let text = await figures()
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text))
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "stoa"
            ),
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? port) },
            logger: logger
        )
        try await application.run()
    }
}
