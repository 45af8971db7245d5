package import Keys

/// Who gives a password or asks for a new account, as far as it matters for how fast they may.
///
/// Wrong passwords slow down the one asker that gave them, and nobody else.
package enum Asker: Hashable, Sendable {
    /// The person who runs the node, by its token; may read every keystore anyway, and is never
    /// slowed down.
    case `operator`
    /// A program of this machine without that token; in an account's name, if it sent a session.
    case thisMachine(Address?)
    /// Somebody on another machine, by the name of the network.
    case elsewhere(String)
}
