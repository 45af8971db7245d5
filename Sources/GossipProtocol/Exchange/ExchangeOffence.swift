/// A peer's breach of the rules of an exchange.
package enum ExchangeOffence: String, Hashable, Sendable {
    /// Bytes that are not a message of the protocol, or exceed its limits.
    case malformed
    /// An answer of another kind than the question, or one that was not asked for.
    case notAsked
    /// Ids that do not rise, or do not follow the requested start.
    case outOfOrder
    /// An empty page that is not the last.
    case emptyPage
    /// A record whose id was not wanted, or that is out of order.
    case otherRecord
    /// More records or bytes than were wanted.
    case oversized
    /// Too many ids offered whose records are not served.
    case unproven
    /// Records that every version of the validator rejects.
    case rejected
    /// More questions or bytes than one exchange may request.
    case greedy
    /// Too many wanted ids that are not stored here.
    case unheld
    /// Questions on topics that this node does not serve, after it said so.
    case foreignTopic
}
