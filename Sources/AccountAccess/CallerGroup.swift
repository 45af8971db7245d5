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
