/// What a peer did in an exchange that it must not.
package enum ExchangeOffence: String, Hashable, Sendable {
    /// Bytes that are no message of the protocol, or break its bounds.
    case malformed
    /// An answer of the other kind than was asked for.
    case notAsked
    /// Ids that do not rise, or are not after where they should begin.
    case outOfOrder
    /// A page that ends nothing and holds nothing.
    case emptyPage
    /// A record whose id was not wanted, or that comes out of its place.
    case otherRecord
    /// More records than were wanted, or more bytes.
    case oversized
    /// Ids offered and not served, more often than chance explains.
    case unproven
    /// Records that every version of the judge rejects.
    case rejected
    /// More questions or bytes than one exchange may ask.
    case greedy
    /// Questions on topics that are not served here, after it was told that there is nothing.
    case foreignTopic
}
