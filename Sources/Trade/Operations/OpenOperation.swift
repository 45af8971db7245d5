import Client
import Ethereum
import Keys
import Market

/// An operation under way.
struct OpenOperation: Sendable {
    /// As it is written down.
    var operation: Client.Operation
    /// Where its transactions go; `nil` is the node's first chain.
    var chain: ChainID? { operation.chain.map { ChainID($0) } }
    let account: Address
    let plan: OperationPlan
    let intent: IntentID
    /// The progress of its transactions; `nil` until the sender has reported it.
    var progress: IntentProgress?
    /// A former run left it: its account was locked since.
    let isResumed: Bool
    /// Whether its sender can know its transactions.
    var isSubmitted: Bool

    /// Returns what its transactions that are not mined can still take from the balance.
    ///
    /// In the native currency these are values and maximum fees. In a token these are transfers
    /// and approved amounts; the last transaction draws what is approved.
    func due(in currency: Currency) -> Amount {
        plan.steps.indices.reduce(.zero) { sum, index in
            let step = plan.steps[index]
            guard case .token(let token) = currency else {
                guard !isMined(index) else { return sum }
                let feeMax = plan.feesMax.isEmpty ? .zero : plan.feesMax[index]
                return sum.adding(step.value)?.adding(feeMax) ?? .max
            }
            guard step.to == token, let change = TokenContract.change(in: step.data),
                !isMined(change.change == .approve ? plan.steps.count - 1 : index)
            else { return sum }
            return sum.adding(change.amount) ?? .max
        }
    }

    /// Whether it lists an item again by itself, and nothing of it is signed as far as is known.
    var givesWay: Bool {
        guard case .automatic? = plan.reopening else { return false }
        guard let progress else { return !isResumed }
        guard progress.receipts.allSatisfy({ $0 == nil }) else { return false }
        switch progress.phase {
        case .waiting, .delayed, .needsUnlock: return progress.step == 0
        default: return false
        }
    }

    private func isMined(_ index: Int) -> Bool { progress?.receipts[index] != nil }
}
