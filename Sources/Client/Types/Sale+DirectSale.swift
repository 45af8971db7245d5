extension Sale {
    /// What only a direct sale has.
    public struct DirectSale: Codable, Hashable, Sendable {
        public var terms: DirectSaleTerms

        public init(terms: DirectSaleTerms) { self.terms = terms }
    }
}
