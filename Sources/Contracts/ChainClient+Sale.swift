package import Market

/// A contract's own answers about a sale, independent of its events.
package struct SaleAnswer: Equatable, Sendable {
    /// The status that each endpoint returned; `nil` if there is no such sale.
    package let statuses: [EscrowStatus?]

    package init(_ statuses: [EscrowStatus?]) { self.statuses = statuses }

    /// Whether every endpoint says that the sale has ended or does not exist.
    package var isNothingOpen: Bool { statuses.allSatisfy { $0?.isFinal ?? true } }

    /// Whether every endpoint says that there is no such sale.
    package var isNone: Bool { statuses.allSatisfy { $0 == nil } }
}

extension ChainClient {
    /// Asks the contract for a sale, through two endpoints if a second one is usable.
    ///
    /// Each endpoint answers at its own newest block. A slightly old answer is good enough, because
    /// only the caller can create a sale with this id.
    ///
    /// - Throws: ``EthereumError``, or the error of an answer that cannot be decoded.
    package func answer(for sale: SaleID, in escrow: EscrowContract) async throws -> SaleAnswer {
        let first = try await session()
        var statuses = [try await first.ask(escrow.sale(sale), at: .latest)?.status]
        if let second = try await second(to: first) {
            statuses.append(try await second.ask(escrow.sale(sale), at: .latest)?.status)
        }
        return SaleAnswer(statuses)
    }
}
