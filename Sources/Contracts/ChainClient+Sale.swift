package import Market

/// How a contract answers for a sale, whatever its events say.
package struct SaleAnswer: Equatable, Sendable {
    /// By each endpoint that was asked; `nil` for no such sale.
    package let statuses: [EscrowStatus?]

    package init(_ statuses: [EscrowStatus?]) { self.statuses = statuses }

    /// By all of them there is nothing that could go on.
    package var isNothingOpen: Bool { statuses.allSatisfy { $0?.isFinal ?? true } }

    /// By all of them there is no such sale.
    package var isNone: Bool { statuses.allSatisfy { $0 == nil } }
}

extension ChainClient {
    /// Asks a contract itself for a sale, by two endpoints if a second one can be used.
    ///
    /// Each is asked at its own newest block: an answer of a moment ago is as good, because nobody
    /// can make a sale of this id but the one who asks.
    ///
    /// - Throws: ``EthereumError``, or what the contract cannot answer.
    package func answer(for sale: SaleID, in escrow: EscrowContract) async throws -> SaleAnswer {
        let first = try await session()
        var statuses = [try await first.ask(escrow.sale(sale), at: .latest)?.status]
        if let second = try await second(to: first) {
            statuses.append(try await second.ask(escrow.sale(sale), at: .latest)?.status)
        }
        return SaleAnswer(statuses)
    }
}
