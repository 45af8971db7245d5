/// How many bytes the anchored lane of every node keeps for what an account did on the chain.
///
/// A sale at the least price costs a transaction and no more, so it must not buy more than the
/// room for what it needs: its listing, its reviews, and who its parties are. Each kind has a limit
/// of slots that follows from the chain, and each record one of bytes; so the sum does not depend
/// on the order in which records come, and all nodes come to the same.
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

    /// The most bytes of one anchored record, its envelope counted.
    package static func byteCountMax(of kind: RecordKind) -> Int {
        switch kind {
        case .profile: profileByteCountMax
        case .device: deviceByteCountMax
        case .listing: listingByteCountMax
        case .review: reviewByteCountMax
        }
    }

    /// The most bytes of one account's anchored records, once it is a party to a sale.
    ///
    /// - Parameters:
    ///   - listed: Final sales of which it is the seller.
    ///   - ended: Sales that it may review.
    /// - Returns: Bytes of records, their envelopes counted.
    package static func byteCountMax(listed: Int, ended: Int) -> Int {
        profileByteCountMax + RecordKind.device.slotsMax * deviceByteCountMax
            + min(listed, RecordKind.listing.slotsMax) * listingByteCountMax
            + min(ended, RecordKind.review.slotsMax) * reviewByteCountMax
    }
}
