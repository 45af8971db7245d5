extension Sale {
    /// The fields of a direct sale.
    public struct DirectSale: Codable, Hashable, Sendable {
        public var terms: DirectSaleTerms

        public init(terms: DirectSaleTerms) { self.terms = terms }
    }
}
