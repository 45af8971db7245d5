import Hummingbird

/// The cookie of a browser that has sessions at this node.
///
/// Cookies know no ports, so its name has characters of the node's peer id: nodes of one machine
/// keep their own. A page of another port may still set a cookie of this name, which then opens
/// nothing.
///
/// Source: RFC 6265bis, sections 4.1.3 and 5.6; Docs/api.md, section 1.6.
struct PageCookie: Equatable, Sendable {
    /// The name without prefix.
    private let name: String
    /// Whether the browser keeps it for this host and for requests that nobody on the way reads.
    private let isSecure: Bool
    /// The value that the request had.
    let value: String?

    /// Reads the cookie of a request.
    ///
    /// - Parameters:
    ///   - peer: The node's peer id.
    ///   - head: The head of the request. A browser names the origin if a page changes something;
    ///     without it, the host says whether the page is of this machine.
    init(of peer: String, in head: RequestHead) {
        name = "stoa-" + peer.suffix(8)
        isSecure =
            head.origin.map(Self.isProtected) ?? head.host.map(Self.isLoopback) ?? false
        let pairs = (head.cookie ?? "").split(separator: ";").map {
            $0.trimmingPrefix { $0 == " " }
        }
        func value(of name: String) -> String? {
            pairs.first { $0.hasPrefix(name + "=") }
                .map { String($0.dropFirst(name.utf8.count + 1)) }
        }
        // One without prefix can be set by anybody on the way.
        self.value = value(of: Self.prefix + name) ?? (isSecure ? nil : value(of: name))
    }

    /// The field `Set-Cookie` that gives the browser a value, or takes the cookie away if it is
    /// `nil`.
    func field(_ value: String?) -> String {
        let parts = [
            "\(isSecure ? Self.prefix : "")\(name)=\(value ?? "")", "Path=/", "HttpOnly",
            "SameSite=Strict", isSecure ? "Secure" : nil, value == nil ? "Max-Age=0" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }

    private static let prefix = "__Host-"

    private static func isProtected(_ origin: String) -> Bool {
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1)
        return parts.first == "https" || parts.last.map { isLoopback(String($0)) } ?? false
    }

    /// Whether a host, with or without a port, is this machine to a browser.
    private static func isLoopback(_ authority: String) -> Bool {
        let host = authority.lowercased()
        return host.hasPrefix("[::1]") || host.hasPrefix("127.")
            || host.prefix { $0 != ":" } == "localhost"
    }
}
