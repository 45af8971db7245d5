import Foundation

/// The address of a node's API, such as `http://127.0.0.1:8080`.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IP address, without brackets.
    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// Reads an address; without a port, the port is 80.
    ///
    /// The API speaks plain HTTP, on the machine of the node or behind a proxy there that ends TLS.
    ///
    /// - Throws: ``ClientError/badAddress(_:)``
    public init(text: String) throws(ClientError) {
        let url = text.contains("://") ? text : "http://" + text
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path),
            parts.query == nil, parts.user == nil, (1...65_535).contains(parts.port ?? 80)
        else { throw .badAddress(text) }
        self.init(host: host, port: parts.port ?? 80)
    }

    public var description: String { "http://\(authority)" }

    /// Whether it names this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// The host as it stands in a URL: an IPv6 address is in brackets.
    ///
    /// Source: RFC 3986, section 3.2.2.
    public var hostInURL: String { host.contains(":") ? "[\(host)]" : host }

    /// Host and port, as in a URL.
    public var authority: String { "\(hostInURL):\(port)" }
}
