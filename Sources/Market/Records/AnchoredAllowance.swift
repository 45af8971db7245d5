/// The bytes that every node stores in the anchored lane for an account's sales.
///
/// A sale at the lowest price costs only a transaction, so it must not buy more room than it needs:
/// for its listing, its reviews, and the records of its parties. Each kind has a limit of slots
/// that follows from the chain, and each record a limit of bytes. The sum therefore does not depend
/// on the order in which records arrive, and all nodes agree on it.
///
/// Source: Docs/protocol.md, section 4.7.
package enum AnchoredAllowance {
    /// Room for the longest profile of section 5.2 and 900 bytes of later fields.
    package static let profileByteCountMax = 12_288
    /// Room for the longest certificate of section 5.3 and 300 bytes of later fields.
    package static let deviceByteCountMax = 768
    /// Room for the longest listing of section 5.4 with its promise, and all later fields.
    package static let listingByteCountMax = 26_624
    /// Room for the longest review of section 5.5, and all later fields.
    package static let reviewByteCountMax = 6_144

    /// Returns the maximum bytes of one anchored record, including its envelope.
    package static func byteCountMax(of kind: RecordKind) -> Int {
        switch kind {
        case .profile: profileByteCountMax
        case .device: deviceByteCountMax
        case .listing: listingByteCountMax
        case .review: reviewByteCountMax
        // It is never anchored.
        case .curation: 0
        }
    }

    /// Returns the maximum bytes of one account's anchored records, once it is a party to a sale.
    ///
    /// - Parameters:
    /// - listed: The number of final sales of which it is the seller.
    /// - ended: The number of sales that it can review.
    /// - Returns: Bytes of records, including their envelopes.
    package static func byteCountMax(listed: Int, ended: Int) -> Int {
        profileByteCountMax + RecordKind.device.slotsMax * deviceByteCountMax
            + min(listed, RecordKind.listing.slotsMax) * listingByteCountMax
            + min(ended, RecordKind.review.slotsMax) * reviewByteCountMax
    }
}
