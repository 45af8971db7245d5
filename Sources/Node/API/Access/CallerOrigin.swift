import Foundation
import HTTPTypes

/// Where a request comes from, as far as it matters for what the caller may do.
enum CallerOrigin: Hashable, Sendable {
    /// A program of this machine, or a page that this node served to it.
    case thisMachine
    /// Another machine, or a page of another origin; by the name of its network.
    case elsewhere(String)

    /// What a proxy adds to a request.
    ///
    /// Source: RFC 7239; RFC 9110, section 7.6.3.
    private static let proxyFields = [
        "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
        "Via",
    ].compactMap { HTTPField.Name($0) }

    /// - Parameters:
    ///   - address: The other end of the connection, an IP address.
    ///   - headers: Those of the request. What a proxy adds is believed only of one on this
    ///     machine: it can make a caller a stranger, and never the other way.
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

    /// The address that the nearest proxy names: the last, as those before it may be made up.
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
