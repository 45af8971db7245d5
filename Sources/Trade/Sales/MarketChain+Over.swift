import Answers
import Client
import Contracts
import Ethereum
import Market

extension MarketChain {
    /// Refuses unless the contract itself says that a sale does not exist or is over.
    ///
    /// An endpoint that leaves out or invents events would make it look so. The deposit would then
    /// stay locked behind a listing that is gone.
    ///
    /// - Returns: Whether the sale exists, and is over.
    /// - Throws: ``Refusal`` if the sale is still open or is of another market, or if a second
    ///   endpoint is needed and does not answer.
    func requireOver(
        _ sale: SaleReference,
        acceptsOneSource: Bool
    ) async throws -> Bool {
        guard sale.contract.chain == chain,
            let contract = saleIndex.contract(at: sale.contract.address)
        else {
            throw Refusal(
                .wrongMarket,
                Sentence(
                    "refusal.otherMarket",
                    ["contract": "\(sale.contract.address)", "chain": "\(sale.contract.chain)"]
                )
            )
        }
        let answer = try await asking { try await client.answer(for: sale.id, in: contract) }
        guard answer.isNothingOpen else {
            throw Refusal(.chainStale, Sentence("refusal.saleStillOpen"), retryAfter: .seconds(5))
        }
        guard answer.stages.count >= saleIndex.sources.needed || acceptsOneSource else {
            throw Refusal.oneSource(on: chain)
        }
        return !answer.isNone
    }
}
