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

    /// Returns whether an error means that an endpoint gave no answer that a contract can give: it
    /// is asked for a sale by id, which it never refuses.
    static func isMissing(_ error: any Error) -> Bool {
        switch error {
        case let error as EthereumError: error.isEndpointsFault
        case PreflightError.refused, is UnreadableAnswer: true
        default: false
        }
    }
}

extension ChainClient {
    /// Asks the contract for a sale, through two endpoints, and a third one if they differ on
    /// whether it is open.
    ///
    /// Each endpoint answers at its own newest block. A slightly old answer is good enough, because
    /// only the caller can create a sale with this id.
    ///
    /// - Returns: The answers that agree; those of both if no two do.
    /// - Throws: The last endpoint's error if none gives an answer that the contract can give.
    package func answer(
        for sale: SaleID,
        in contract: any SaleContract
    ) async throws -> SaleAnswer {
        let query = contract.stored(sale)
        var asked: Set<EndpointName> = []
        var answers: [SaleAnswer] = []
        var failure: any Error = EthereumError.noEndpoint(chain)
        while let session = try await another(than: asked) {
            asked.insert(session.name)
            do {
                let answer = SaleAnswer([try await session.ask(query, at: .latest)?.stage])
                if let same = answers.first(where: { $0.isNothingOpen == answer.isNothingOpen }) {
                    return SaleAnswer(same.stages + answer.stages)
                }
                answers.append(answer)
            } catch let error where SaleAnswer.isMissing(error) {
                failure = error
            }
        }
        guard !answers.isEmpty else { throw failure }
        return SaleAnswer(answers.flatMap(\.stages))
    }
}
