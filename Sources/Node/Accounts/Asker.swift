package import Keys

/// Where a password or a request for a new account comes from, for limits on the rate.
///
/// Wrong passwords slow down only the asker that gave them.
package enum Asker: Hashable, Sendable {
    /// The person who runs the node, by its token.
    ///
    /// Can read every keystore anyway, and is never slowed down.
    case `operator`
    /// A program on this machine without that token; with an account, if it sent a session.
    case thisMachine(Address?)
    /// Somebody on another machine, by the name of the network.
    case elsewhere(String)
}
