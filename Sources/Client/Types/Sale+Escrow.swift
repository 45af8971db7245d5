public import Foundation

extension Sale {
    /// What only a sale by escrow has.
    public struct Escrow: Codable, Hashable, Sendable {
        /// All terms that the contract holds the parties to.
        public var terms: EscrowTerms
        /// The offer to settle that can be accepted now; `nil` if there is none.
        public var proposal: Proposal?

        public init(terms: EscrowTerms, proposal: Proposal? = nil) {
            (self.terms, self.proposal) = (terms, proposal)
        }
    }

    /// An offer to settle that stands.
    public struct Proposal: Codable, Hashable, Sendable {
        /// The account that made it; the other side can accept it.
        public var by: String
        /// `seller` or `buyer`.
        public var role: String
        /// The seller's share of the price in basis points.
        public var share: UInt64
        /// Until when it can be accepted, unless another proposal or a move replaces it first.
        public var until: Date

        public init(by: String, role: String, share: UInt64, until: Date) {
            (self.by, self.role) = (by, role)
            (self.share, self.until) = (share, until)
        }
    }
}
