import Ethereum
package import Market

/// A contract's own answers about a sale, independent of its events.
package struct SaleAnswer: Equatable, Sendable {
    /// How far the sale is, by each endpoint; `nil` if there is no such sale.
    package let stages: [SaleStage?]

    package init(_ stages: [SaleStage?]) { self.stages = stages }

    /// Whether every endpoint says that the sale has ended or does not exist.
    package var isNothingOpen: Bool { stages.allSatisfy { $0 == nil || $0 == .over } }

    /// Whether every endpoint says that there is no such sale.
    package var isNone: Bool { stages.allSatisfy { $0 == nil } }
}

extension ChainClient {
    /// Asks the contract for a sale, through two endpoints if a second one is usable.
    ///
    /// Each endpoint answers at its own newest block. A slightly old answer is good enough, because
    /// only the caller can create a sale with this id.
    ///
    /// - Throws: ``EthereumError``, or the error of an answer that cannot be decoded.
    package func answer(
        for sale: SaleID,
        in contract: any SaleContract
    ) async throws -> SaleAnswer {
        let query = contract.stored(sale)
        let first = try await session()
        var stages = [try await first.ask(query, at: .latest)?.stage]
        if let second = try await second(to: first) {
            stages.append(try await second.ask(query, at: .latest)?.stage)
        }
        return SaleAnswer(stages)
    }
}
