/// A way to sell: the name of a contract's function, in listings, deployment files and the API.
///
/// The kinds that a program can follow are those of its ``SaleFolds``; other names are kept as they
/// are, because a market can have contracts that a newer program knows.
package struct SaleKind: RawRepresentable, Hashable, Sendable {
    package static let escrow = SaleKind(rawValue: "escrow")
    package static let direct = SaleKind(rawValue: "direct")
    package static let auction = SaleKind(rawValue: "auction")
    package static let enrolment = SaleKind(rawValue: "enrolment")

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

extension SaleKind: CustomStringConvertible {
    package var description: String { rawValue }
}
