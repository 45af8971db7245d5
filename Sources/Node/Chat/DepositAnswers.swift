import Gossip
import Keys
import Synchronization

/// What a home has said of envelopes so far.
///
/// Each answer counts from when it comes: a deposit may take longer than one home is given, as for
/// a stranger who works for each envelope, and the next try goes on from there.
final class DepositAnswers: Sendable {
    enum Answer: Sendable {
        case held
        case refused(MailRefusal)
    }

    private let answers = Mutex<[Bytes32: Answer]>([:])

    func note(_ envelope: Bytes32, _ refusal: MailRefusal?) {
        answers.withLock { $0[envelope] = refusal.map { .refused($0) } ?? .held }
    }

    func answer(to envelope: Bytes32) -> Answer? { answers.withLock { $0[envelope] } }

    /// Whether the home was asked too often.
    var isTooOften: Bool {
        answers.withLock { answers in
            answers.values.contains { if case .refused(.tooOften) = $0 { true } else { false } }
        }
    }
}
