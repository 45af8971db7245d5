import Foundation

/// Where a chain can be asked.
package struct Endpoint: Equatable, Sendable {
    package let url: String
    package let name: EndpointName
    /// Host and port, if that is not the scheme's own: endpoints of one place are one source.
    package let place: String

    /// Takes an `http` or `https` address.
    ///
    /// - Throws: ``EndpointError`` that says what is wrong with the text.
    package init(url text: String) throws(EndpointError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            (1...65_535).contains(parts.port ?? 80)
        else { throw .malformed }
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw .scheme(parts.scheme ?? "")
        }
        url = text
        // One source however it is written.
        let usual = scheme == "https" ? 443 : 80
        let port = parts.port.flatMap { $0 == usual ? nil : ":\($0)" } ?? ""
        place = host.lowercased() + port
        name = EndpointName("\(scheme)://\(place)")
    }

    /// What may be shown of a text that is meant to be an endpoint: its name, and whether more
    /// follows.
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

/// Scheme, host and port of an endpoint: what may be shown, as the rest often holds a secret.
package struct EndpointName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Why a text cannot be an endpoint.
package enum EndpointError: Error, Equatable, Sendable {
    /// Not an address such as `https://host:port/path`.
    case malformed
    /// Neither `http` nor `https`.
    case scheme(String)
}
