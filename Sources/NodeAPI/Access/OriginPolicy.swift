import Answers
import Client
import Setup

/// Refuses requests from web pages elsewhere, and for names that were rebound to this machine.
///
/// A browser sends the page's origin and the host name that it looked up; a program of the user's
/// own sends neither, or this machine's. A page's origin includes its port: a page that another
/// program on this machine serves is a stranger.
///
/// Source: RFC 6454, section 7; RFC 9110, section 7.2; W3C, "Fetch Metadata
/// Request Headers", section 2.2; Docs/api.md, section 1.2.
struct OriginPolicy: Sendable {
    private let ownNames: Set<String>
    private let otherNames: Set<String>
    private let otherOrigins: Set<String>

    /// - Parameters:
    ///   - host: The address the API listens on.
    ///   - allowed: Origins such as `https://shop.example`, whose host is allowed as well.
    init(host: String, allowed: [String]) {
        let listened = NodeAddress(host: host.lowercased(), port: 0).hostInURL
        ownNames = ["localhost", "127.0.0.1", "[::1]", listened]
        otherNames = Set(
            allowed.compactMap {
                $0.split(separator: "//").last.map(String.init).flatMap(Self.name)
            }
        )
        otherOrigins = Set(allowed.map(Self.normal))
    }

    /// Checks a request's headers, as ``check(host:origin:fetchSite:)`` does.
    func check(_ head: RequestHead) throws(Refusal) -> Bool {
        try check(host: head.host, origin: head.origin, fetchSite: head.fetchSite)
    }

    /// Checks only that a request names a host of this node.
    ///
    /// - Throws: ``Refusal`` with `strange_host`.
    func checkHost(_ host: String?) throws(Refusal) { _ = try known(host) }

    /// Returns whether a request comes from a page that this node serves.
    ///
    /// Behind a proxy that ends TLS the page's origin is one of those allowed, and the proxy passes
    /// on the host that the browser named. Other allowed origins are of pages elsewhere.
    func isOwnPage(_ head: RequestHead) -> Bool {
        guard let origin = head.origin.map(Self.normal), let host = head.host,
            let name = Self.name(host)
        else { return false }
        if origin == Self.normal("http://" + host), ownNames.contains(name) { return true }
        let scheme = origin.hasPrefix("https://") ? "https://" : "http://"
        return otherOrigins.contains(origin) && origin == Self.normal(scheme + host)
    }

    /// Checks a request's headers.
    ///
    /// - Returns: Whether it names this machine itself, and does not come from a foreign page.
    /// - Throws: ``Refusal`` with `strange_host` or `strange_origin`.
    func check(host: String?, origin: String?, fetchSite: String?) throws(Refusal) -> Bool {
        let (host, isOwn) = try known(host)
        guard let origin else {
            // Some requests of pages, such as for an image, have no origin.
            guard ["cross-site", "same-site"].contains(fetchSite?.lowercased()) else {
                return isOwn
            }
            throw Refusal(.strangeOrigin, Sentence("refusal.pageOfOther"))
        }
        if isOwn, Self.normal(origin) == Self.normal("http://" + host) { return true }
        guard otherOrigins.contains(Self.normal(origin)) else {
            throw Refusal(
                .strangeOrigin,
                Sentence("refusal.pageOfOrigin", ["origin": origin.quoted])
            )
        }
        return false
    }

    /// Returns the host of a request, and whether it is this machine.
    private func known(_ host: String?) throws(Refusal) -> (host: String, isOwn: Bool) {
        guard let host, let name = Self.name(host) else {
            throw Refusal(.strangeHost, Sentence("refusal.notAHost", ["host": (host ?? "").quoted]))
        }
        let isOwn = ownNames.contains(name)
        guard isOwn || otherNames.contains(name) else {
            throw Refusal(.strangeHost, Sentence("refusal.otherHost", ["host": host.quoted]))
        }
        return (host, isOwn)
    }

    /// Returns the host without its port, in lower case; `nil` if it is not followed by a valid
    /// port.
    private static func name(_ authority: String) -> String? {
        let text = authority.lowercased()
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : nil
        let name = end.map { text[..<$0] } ?? text.prefix { $0 != ":" }
        guard name.count < text.count else { return String(name) }
        let rest = text[name.endIndex...]
        let port = rest.dropFirst()
        guard rest.hasPrefix(":"), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            UInt16(port) != nil
        else { return nil }
        return String(name)
    }

    /// Returns an origin in lower case, without the default port of its scheme.
    private static func normal(_ origin: String) -> String {
        let text = origin.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where text.hasPrefix(scheme) && text.hasSuffix(port) {
            return String(text.dropLast(port.count))
        }
        return text
    }
}
