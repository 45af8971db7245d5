/// A move that an account can let its node make while nobody is signed in.
///
/// Source: Docs/operations.md, section 3.6.
package enum UnattendedMove: String, CaseIterable, Sendable {
    /// Sends the key of a digital work to its buyer.
    case deliver
    /// Takes what is due after a deadline: the price of a sale, the default of a dispute, the fees
    /// of a round.
    case claim
    /// Ends a sale whose time is over, also one that nobody has bought.
    case end
    /// Takes back what was paid for something that did not come.
    case refund
}

extension Set<UnattendedMove> {
    /// Every such move.
    package static var all: Self { Set(UnattendedMove.allCases) }
}
