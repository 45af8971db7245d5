import Hummingbird
import Logging

/// A server of the same library as the node's, which answers every request with the same bytes: the
/// limit that the API is measured beside.
///
/// It runs in a process of its own, like the node.
enum ConstantServer {
    /// The argument that makes the program this server; the port and the length of the body follow.
    static let part = "constant-server"

    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 2, let port = Int(arguments[0]), let count = Int(arguments[1])
        else { throw BenchmarkFault.ended("the constant server: a port and a length are needed") }
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: count)
        let router = Router()
        router.get("constant") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: body)
            )
        }
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: Logger(label: "constant") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.runService()
    }
}
