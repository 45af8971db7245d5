/// The seller's part of the price, in basis points from 0 to 10,000.
package struct SellerShare: Hashable, Comparable, Sendable {
    package static let none = SellerShare(trusted: 0)
    package static let all = SellerShare(trusted: 10_000)

    package let basisPoints: UInt64

    init(trusted basisPoints: UInt64) {
        self.basisPoints = basisPoints
    }

    package init?(basisPoints: UInt64) {
        guard basisPoints <= 10_000 else { return nil }
        self.basisPoints = basisPoints
    }

    /// The buyer's part.
    package var rest: SellerShare { SellerShare(trusted: 10_000 - basisPoints) }

    /// Whether the token goes to the buyer: if the seller gets half of the price or more.
    package var givesTokenToBuyer: Bool { basisPoints >= 5_000 }

    /// The party to which the token goes.
    package var tokenReceiver: SaleRole { givesTokenToBuyer ? .buyer : .seller }

    package static func < (left: SellerShare, right: SellerShare) -> Bool {
        left.basisPoints < right.basisPoints
    }
}
