import Foundation

/// A JSON-RPC endpoint of a chain.
///
/// Its description is its name, because everything else can be a secret.
package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    /// An HTTP header that each request carries.
    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    /// The URL without user and password.
    package let url: String
    package let name: EndpointName
    /// The host, and the port if it is not the scheme's default.
    ///
    /// Endpoints with the same host and port count as one source.
    package let place: String
    /// Whether requests go over a WebSocket: the scheme is `ws` or `wss`.
    package let isWebSocket: Bool
    /// Whether the connection uses TLS: the scheme is `https` or `wss`.
    package let isSecure: Bool
    /// The host in small letters, without the brackets of an IPv6 address.
    package let host: String
    package let port: Int
    /// The operator's limit on calls a second; `nil` for none.
    package var callsPerSecondMax: Int?
    /// The additional headers of each request: keys, and `Authorization` if the URL has a user and
    /// a password.
    ///
    /// Source: RFC 7617, section 2.
    package var headers: [Header] = []
    /// The path and query, which often hold a secret.
    let target: String
    /// The user and password of the URL.
    private let credentials: [String]

    package var description: String { name.description }

    /// Parses an `http`, `https`, `ws` or `wss` URL.
    ///
    /// - Throws: ``EndpointError``.
    package init(url text: String) throws(EndpointError) {
        guard var parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            (1...65_535).contains(parts.port ?? 80)
        else { throw .malformed }
        guard let scheme = parts.scheme?.lowercased(),
            ["http", "https", "ws", "wss"].contains(scheme)
        else { throw .scheme(parts.scheme ?? "") }
        if let user = parts.user, !user.isEmpty || parts.password?.isEmpty == false {
            let words = Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
            headers = [Header(name: "authorization", value: "Basic " + words)]
        }
        credentials = [parts.user, parts.password].compactMap { $0 }
        (parts.user, parts.password) = (nil, nil)
        url = credentials.isEmpty ? text : parts.string ?? text
        isWebSocket = scheme.hasPrefix("ws")
        isSecure = scheme == "https" || scheme == "wss"
        // Different spellings of one host and port give the same result.
        let usual = isSecure ? 443 : 80
        port = parts.port ?? usual
        place = host.lowercased() + (port == usual ? "" : ":\(port)")
        self.host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        let path = parts.percentEncodedPath
        target = (path.isEmpty ? "/" : path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        name = EndpointName("\(scheme)://\(place)")
    }

    /// The texts that must not be repeated from the endpoint's answers.
    var secrets: [String] {
        let parts = target.split { "/?&=".contains($0) }.map(String.init)
            .filter { $0.utf8.count >= Self.keyBytesMin }
        let values = headers.flatMap { header in
            [header.value] + header.value.split(separator: " ").dropFirst().map(String.init)
        }
        // Base64 is also written without padding, and in the alphabet of URLs.
        // Source: RFC 4648, sections 3.2 and 5.
        let bare = values.map { $0.trimmingCharacters(in: ["="]) }
        let inURLs = bare.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
        return Set(parts + values + bare + inURLs + credentials).filter { !$0.isEmpty }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Shorter parts of a URL are words such as `rpc` and `mainnet`.
    private static let keyBytesMin = 8

    /// Returns the part of an endpoint's URL that may be shown: its name, and `/…` if more follows.
    package static func shown(_ text: String) -> String {
        do {
            let endpoint = try Endpoint(url: text)
            let name = endpoint.name.description
            return [name, name + "/"].contains(text.lowercased()) ? text : name + "/…"
        } catch {
            let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound] }
            return scheme.map { "\($0)://…" } ?? "…"
        }
    }
}

/// An endpoint's scheme, host and port, which may be shown; other parts often contain a secret.
package struct EndpointName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Why a text is not an endpoint's URL.
package enum EndpointError: Error, Equatable, Sendable {
    /// It is not a URL such as `https://host:port/path`.
    case malformed
    /// Its scheme, given here, is none of `http`, `https`, `ws` and `wss`.
    case scheme(String)
}
