package import Ethereum
import Foundation

/// Headers with keys for endpoints, read from texts such as `rpc.example x-api-key: 1234`.
///
/// Each names the host, and the port unless it is the usual one, because no endpoint may get the
/// key of another. With a single endpoint the host may be left out.
package struct EndpointHeaders {
    /// The characters of a header's name besides letters and digits (RFC 9110, section 5.6.2).
    private static let marks = Set("!#$%&'*+-.^_`|~".utf8)

    /// Headers that the transport writes itself; keys are never in these.
    private static let own: Set<String> = [
        "host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade",
        "accept", "origin", "te", "trailer",
    ]

    private static let bytesMax = 4_096

    /// The requirement on a text, in words.
    package static let form =
        "headers such as 'rpc.example x-api-key: 1234', each once, with the host (and port) of an "
        + "endpoint before it unless there is only one"

    /// Returns the headers of each endpoint.
    ///
    /// - Returns: `nil` if a text is not a header, or does not name its endpoint.
    package static func read(_ texts: [String], of endpoints: [Endpoint]) -> [[Endpoint.Header]]? {
        var found = endpoints.map(\.headers)
        for text in texts {
            guard let (index, words) = place(in: text, of: endpoints),
                let header = header(words),
                !found[index].contains(where: { $0.name == header.name })
            else { return nil }
            found[index].append(header)
        }
        return found
    }

    /// Returns the part of a text that may be shown: the endpoint's host and the header's name.
    ///
    /// A first word that is not an endpoint may be a name and a part of a value, even if it looks
    /// like a host and a port, so only the part before a colon or a blank is shown.
    ///
    /// - Parameters:
    ///   - text: A header, which need not be well-formed.
    ///   - endpoints: Those that it can name.
    /// - Returns: That part, with `…` for everything else.
    static func shown(_ text: String, of endpoints: [Endpoint]) -> String {
        guard text.contains(":") else { return "…" }
        let parts = text.split(separator: " ", maxSplits: 1)
        if parts.count == 2, endpoints.contains(where: { $0.place == parts[0].lowercased() }) {
            return "\(parts[0]) \(shown(parts[1]))"
        }
        return shown(text[...])
    }

    private static func shown(_ words: Substring) -> String {
        guard words.contains(":") else { return "…" }
        let name = words.prefix { $0 != ":" && !$0.isWhitespace }
        switch words[name.endIndex...].first {
        case ":" where words[name.endIndex...].count == 1: return String(words)
        case ":": return "\(name): …"
        default: return "\(name) …"
        }
    }

    private static func place(
        in text: String,
        of endpoints: [Endpoint]
    ) -> (index: Int, words: Substring)? {
        let parts = text.split(separator: " ", maxSplits: 1)
        if parts.count == 2,
            let index = endpoints.firstIndex(where: { $0.place == parts[0].lowercased() })
        {
            return (index, parts[1])
        }
        return endpoints.count == 1 ? (0, text[...]) : nil
    }

    private static func header(_ words: Substring) -> Endpoint.Header? {
        guard let colon = words.firstIndex(of: ":"), words.utf8.count <= bytesMax else {
            return nil
        }
        let name = words[..<colon].lowercased()
        let value = words[colon...].dropFirst().trimmingWhitespace()
        guard !name.isEmpty, !own.contains(name), !name.hasPrefix("sec-websocket-"),
            name.utf8.allSatisfy({ isOfName($0) }),
            !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return Endpoint.Header(name: name, value: value)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: marks.contains(byte)
        }
    }
}
