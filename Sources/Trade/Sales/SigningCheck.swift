import Answers
import Contracts
import Ethereum
import Synchronization
import Texts

/// Decides whether a transaction must not be signed now.
///
/// Its operation may have begun long ago, so the contract is asked for the sale's state again.
final class SigningCheck: Sendable {
    private let saleIndex: SaleIndex
    private let fees: FeePolicy
    /// Weak, because the service's listener wakes the senders that ask here.
    private struct Asked {
        weak var service: ChainService?
    }

    private let asked = Mutex(Asked())

    init(saleIndex: SaleIndex, fees: FeePolicy) { (self.saleIndex, self.fees) = (saleIndex, fees) }

    /// Sets the chain service to ask from now on.
    func ask(_ service: ChainService) { asked.withLock { $0.service = service } }

    /// Returns why a step, or without one a replacement, must not be signed now; `nil` if it can.
    ///
    /// One endpoint's answer is enough while no second one answers: whether to accept that was the
    /// owner's choice when the operation was begun.
    func reason(against step: Intent.Step?) async -> Sentence? {
        if let refusal = SaleIndex.refusal(of: saleIndex.health, on: saleIndex.deployment.chain) {
            return refusal.firstReason
        }
        guard let step, let view = sale(of: step) else { return nil }
        guard let service = asked.withLock({ $0.service }) else {
            return Sentence("progress.nodeEnds")
        }
        let chain = MarketChain(saleIndex: saleIndex, service: service, fees: fees)
        do {
            try await chain.confirm(view, acceptsOneSource: true)
            return nil
        } catch let refusal as Refusal {
            return refusal.firstReason
        } catch let error as EthereumError {
            return error.reason
        } catch {
            return Sentence("progress.chainError", ["reason": "\(error)"])
        }
    }

    /// Returns the sale that a call to one of the market's contracts is about.
    private func sale(of step: Intent.Step) -> SaleView? {
        guard let contract = step.to.flatMap({ saleIndex.contract(at: $0) }) else { return nil }
        return contract.sale(in: step.data, on: saleIndex.deployment.chain)
            .flatMap { saleIndex.view(of: $0) }
    }
}

extension Refusal {
    /// Its reason, as far as it fits into one sentence.
    fileprivate var firstReason: Sentence {
        reason?.first ?? Sentence("progress.chainError", ["reason": detail])
    }
}
