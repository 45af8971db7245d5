import GossipProtocol
import Keys
import Synchronization

/// The answers of a home to deposited envelopes, so far.
///
/// Each answer counts as soon as it arrives. A deposit may take longer than the time that one home
/// is given, because a stranger must compute work for each envelope; the next attempt continues
/// from there.
final class DepositAnswers: Sendable {
    enum Answer: Equatable, Sendable {
        case held
        case refused(MailRefusal)
    }

    private let answers = Mutex<[Bytes32: Answer]>([:])

    func add(_ envelope: Bytes32, _ refusal: MailRefusal?) {
        answers.withLock { $0[envelope] = refusal.map { .refused($0) } ?? .held }
    }

    /// The answers by the hash of their envelope.
    var all: [Bytes32: Answer] { answers.withLock { $0 } }
}
