/// The decision about a message that a peer sent.
///
/// Source: libp2p specs, "gossipsub v1.1", extended validators; Docs/protocol.md, section 8.3.
package enum Verdict: Hashable, Sendable {
    /// Valid and durable: forward it.
    case accept
    /// No version ever accepts it: its senders are at fault.
    case reject
    /// Not for this node, and no peer is at fault.
    case ignore
    /// Not now: the same message may be accepted when it arrives again.
    case ignoreForNow
}
