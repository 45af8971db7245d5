public import Foundation

extension Sale {
    /// The fields of an escrow sale.
    public struct Escrow: Codable, Hashable, Sendable {
        /// All terms that the contract enforces.
        public var terms: EscrowTerms
        /// Whether the arbiter has taken the dispute.
        ///
        /// The fee is then due however the sale ends, except by the default.
        public var isTaken: Bool
        /// The proposals to settle that can be accepted now, at most one of each side.
        public var proposals: [Proposal]

        public init(terms: EscrowTerms, isTaken: Bool = false, proposals: [Proposal] = []) {
            (self.terms, self.isTaken, self.proposals) = (terms, isTaken, proposals)
        }
    }

    /// A proposal to settle that stands.
    public struct Proposal: Codable, Hashable, Sendable, DescribedType {
        /// The account that made it; the other side can accept it.
        public var by: String
        /// `seller` or `buyer`.
        public var role: String
        /// The seller's share of the price in basis points.
        public var share: UInt64
        /// The time until which it can be accepted, unless its side replaces or withdraws it, or a
        /// move changes the sale.
        public var until: Date

        package static let fields: [String: FieldFacts] = [
            "by": .address, "role": .side.example("buyer"), "share": .share, "until": .until,
        ]

        public init(by: String, role: String, share: UInt64, until: Date) {
            (self.by, self.role) = (by, role)
            (self.share, self.until) = (share, until)
        }
    }
}

extension Sale {
    /// The proposals to settle that can be accepted now.
    package var proposals: [Proposal] { escrow?.proposals ?? [] }
}
