import Keys
import Texts

/// Applies the endpoints' answers to a transaction that was sent.
extension SendQueue {
    mutating func sent(
        _ slot: SendSlot,
        _ hash: Bytes32,
        _ answer: SendAnswer,
        at uptime: Duration
    ) -> [Directive] {
        switch answer {
        case .taken:
            let isNew = intents[slot.intent]?.steps[slot.step].taken.contains(hash) == false
            let entry = isNew ? record(slot, .broadcast(hash)) : []
            return entry
                + note(slot) {
                    let isNewest = $0.attempts.last?.hash == hash
                    // Until the newest one is answered, it does not matter that an older one is
                    // known.
                    let isNews = $0.phase != .overdue && (isNewest || !$0.phase.isUnheard)
                    if $0.receipt == nil, isNews { $0.phase = .sent }
                    $0.firstTaken = $0.firstTaken ?? uptime
                    $0.unansweredSends = 0
                }
        case .nonceUsed: return []
        case .mispriced(let repricing, let reason):
            reprice(slot, hash, repricing)
            return refused(slot, by: reason)
        case .refused(let reason): return refused(slot, by: reason)
        case .unreachable:
            let rebroadcast = pace.rebroadcast
            return note(slot) {
                // Again after one second, two, four and so on: it may have arrived nevertheless.
                let pause = Duration.seconds(1 << min($0.unansweredSends, 5))
                $0.unansweredSends += 1
                $0.lastSent = uptime - rebroadcast + min(pause, rebroadcast)
                if $0.phase == .signed { $0.phase = .unanswered }
            }
        }
    }

    private mutating func refused(_ slot: SendSlot, by reason: String) -> [Directive] {
        note(slot) {
            guard $0.receipt == nil else { return }
            if $0.taken.isEmpty {
                $0.phase = .stuck(reason)
            } else if $0.phase.isUnheard {
                $0.phase = .sent
            }
        }
    }

    /// Requests that a step be signed again at another price or with less gas, because no endpoint
    /// accepted the newest transaction as it is, or because it is overdue.
    ///
    /// It has the same nonce and stays within the fee that its owner agreed to, so no action
    /// happens twice. The request is not journalled: after a restart the transaction is sent, and
    /// refused, again.
    mutating func reprice(_ slot: SendSlot, _ hash: Bytes32, _ repricing: Repricing) {
        guard let step = intents[slot.intent]?.steps[slot.step], let newest = step.attempts.last,
            newest.hash == hash, step.receipt == nil, step.end == nil,
            repricing == .overdue ? !step.wasRequested : !step.taken.contains(hash),
            step.wanted == nil, step.request == nil, !beingWished.contains(slot), busy != slot,
            // Some signatures are reserved for its owner.
            step.attempts.count < attemptsMax / 2,
            repricing != .lower && repricing != .outbid || step.taken.isEmpty
        else { return }
        intents[slot.intent]?.steps[slot.step].wanted = newest.kind == .cancel ? .cancel : .speedUp
        intents[slot.intent]?.steps[slot.step].repricing = repricing
    }

    /// Returns the price of a replacement.
    ///
    /// - Parameters:
    ///   - step: The step, which was signed before.
    ///   - newest: Its newest transaction.
    ///   - preparation: Today's price, and the gas.
    /// - Returns: The price of the transaction that replaces it.
    /// - Throws: ``PriceObstacle``
    func price(
        ofReplacing step: SendState.Step,
        _ newest: SignedAttempt,
        _ preparation: Preparation
    ) throws(PriceObstacle) -> TransactionPricing {
        let (old, today) = (newest.pricing, preparation.pricing)
        switch step.repricing {
        case .raise where !today.isHigher(than: old): throw .noneHigher
        case .overdue where !old.isMuchLower(than: today): throw .noneHigher
        case .lower where !today.isMuchLower(than: old): throw .noneLower
        case .lessGas where preparation.gasLimit >= newest.gasLimit ?? .max: throw .noLessGas
        // A transaction that no pool has accepted need not be outbid there.
        case .raise where step.taken.isEmpty, .lessGas where step.taken.isEmpty: return today
        case .lower: return today
        default:
            let bounded = fees.limited(to: step.feeMax, gas: preparation.gasLimit)
            guard let raised = bounded.replacement(of: old, by: today) else {
                throw .aboveLimit
            }
            return raised
        }
    }
}

/// Why a transaction is not replaced by one of another price, or with less gas.
enum PriceObstacle: Error {
    case noneHigher, noneLower, noLessGas, aboveLimit

    /// The obstacle, for people.
    var reason: Sentence {
        switch self {
        case .noneHigher: Sentence("progress.noHigherPrice")
        case .noneLower: Sentence("progress.noLowerPrice")
        case .noLessGas: Sentence("progress.noLessGas")
        case .aboveLimit: Sentence("progress.aboveAgreedFee")
        }
    }
}

extension SendQueue.Repricing {
    /// Returns how soon the transaction that is signed instead should be mined.
    func speed(insteadOf usual: FeeSpeed) -> FeeSpeed {
        switch self {
        case .lower: .slow
        case .lessGas: usual
        case .raise, .outbid, .overdue: .fast
        }
    }

    /// How the transaction that is signed instead differs, as a value of type `term`.
    var difference: String { self == .lessGas ? "progress.lessGas" : "progress.otherPrice" }
}
