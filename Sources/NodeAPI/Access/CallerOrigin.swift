import Foundation
import HTTPTypes

/// The origin of a request, as far as it decides what the caller may do.
enum CallerOrigin: Hashable, Sendable {
    /// A program on this machine, or a page that this node served to this machine.
    case thisMachine
    /// Another machine, or a page of another origin; with the name of its network.
    case elsewhere(String)

    /// The header fields that a proxy adds to a request.
    ///
    /// Source: RFC 7239; RFC 9110, section 7.6.3.
    private static let proxyFields = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
        "Via",
    ].compactMap { HTTPField.Name($0) }

    /// - Parameters:
    ///   - address: The other end of the connection, an IP address.
    ///   - headers: The request's header fields. Those that a proxy adds are believed only from a
    ///     proxy on this machine; they can make a caller a stranger, never the other way.
    ///   - isOwn: Whether host and origin are the node's own; see ``OriginPolicy``.
    init(address: String?, headers: HTTPFields, isOwn: Bool) {
        guard let network = address.flatMap(Network.init), network.isThisMachine else {
            self = .elsewhere(address.flatMap(Network.init)?.name ?? "unknown")
            return
        }
        let isForwarded = Self.proxyFields.contains { headers[$0] != nil }
        if isForwarded {
            self = .elsewhere(Self.forwarded(headers).flatMap(Network.init)?.name ?? "proxy")
        } else {
            self = isOwn ? .thisMachine : .elsewhere("pages")
        }
    }

    /// Returns the address that the nearest proxy names: the last, as those before may be made up.
    private static func forwarded(_ headers: HTTPFields) -> String? {
        func last(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[values: $0].last }?
                .split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
        }
        if let address = last("X-Forwarded-For") ?? last("X-Real-IP") { return address }
        return last("Forwarded")?.split(separator: ";")
            .first { $0.lowercased().hasPrefix("for=") }
            .map { $0.dropFirst(4).filter { $0 != "\"" } }
    }
}
