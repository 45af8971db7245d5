package import Keys

/// A group of callers that share the limits on passwords and new accounts.
///
/// Wrong passwords slow down only their own group of callers.
package enum CallerGroup: Hashable, Sendable {
    /// The person who runs the node, by its token.
    ///
    /// Can read every keystore anyway, and is never slowed down.
    case `operator`
    /// A program on this machine without that token; with an account, if it sent a session.
    case thisMachine(Address?)
    /// Somebody on another machine, by the name of the network.
    case elsewhere(String)
}

extension CallerGroup {
    package var isElsewhere: Bool { if case .elsewhere = self { true } else { false } }

    /// The subnet of a caller elsewhere; `nil` on this machine.
    var subnet: String? {
        if case .elsewhere(let network) = self { Self.subnet(of: network) } else { nil }
    }

    /// Returns the /24 of an IPv4 address; an IPv6 network is a /48 already, and is returned
    /// unchanged.
    package static func subnet(of network: String) -> String {
        network.lastIndex(of: ".").map { String(network[..<$0]) } ?? network
    }
}
