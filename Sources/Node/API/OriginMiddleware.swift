import Client
import HTTPTypes
import Hummingbird

/// Refuses requests that a web page elsewhere, or a name that was rebound to this machine, makes.
///
/// A browser sends the page's origin and the name it looked up; a program of one's own sends
/// neither or this machine's. Source: RFC 6454, section 7; Docs/operations.md, section "API".
struct OriginMiddleware: RouterMiddleware {
    private let hosts: Set<String>
    private let origins: Set<String>

    /// - Parameters:
    ///   - host: The address the API listens on.
    ///   - allowed: Origins such as `https://shop.example`, whose host is allowed as well.
    init(host: String, allowed: [String]) {
        let named = allowed.compactMap { $0.split(separator: "//").last.map(Self.name) }
        hosts = Set(["localhost", "127.0.0.1", "[::1]", host.lowercased()] + named)
        origins = Set(allowed.map { $0.lowercased() })
    }

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try check(host: request.head.authority, origin: request.headers[.origin])
        return try await next(request, context)
    }

    func check(host: String?, origin: String?) throws(Refusal) {
        guard let host, hosts.contains(Self.name(host)) else {
            throw Refusal(
                .strangeHost,
                "This node does not answer for host \((host ?? "").quoted); add its origin to "
                    + "api.origins."
            )
        }
        guard let origin else { return }
        let isOwn = origin.split(separator: "//").last.map { hosts.contains(Self.name($0)) }
        guard origins.contains(origin.lowercased()) || isOwn == true else {
            throw Refusal(
                .strangeOrigin,
                "Pages of \(origin.quoted) may not call this node; add it to api.origins to allow it."
            )
        }
    }

    /// The host without its port, in lower case.
    private static func name(_ authority: some StringProtocol) -> String {
        let text = authority.lowercased()
        if text.hasPrefix("[") { return String(text.prefix { $0 != "]" }) + "]" }
        return String(text.prefix { $0 != ":" })
    }
}
