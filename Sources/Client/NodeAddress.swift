import Foundation

/// The address of a node's API, such as `http://127.0.0.1:8080`.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
        (self.host, self.port) = (host, port)
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
        self.host = host
        port = parts.port ?? 80
    }

    public var description: String { "http://\(authority)" }

    /// Whether it names this machine.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host == "::1" || host.hasPrefix("127.")
    }

    var authority: String { "\(host):\(port)" }
}
