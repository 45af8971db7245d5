import Answers
import Concurrency
import GossipProtocol
import Keys
import Market
import Synchronization

/// The use of the budgets by strangers, shared by all concurrent validations.
final class RecordAdmissionState: Sendable {
    /// The records that other nodes accept from one author.
    let authorLimits: FairBudgetLimits
    private let admission: Mutex<RecordAdmission>
    private let clock: any WallClock
    private let began: Timestamp

    init(limits: RecordAdmissionLimits, clock: any WallClock) {
        authorLimits = limits.author
        admission = Mutex(RecordAdmission(limits: limits))
        self.clock = clock
        began = clock.timestamp
    }

    func admitOpen(_ record: UnverifiedRecord, from origin: RecordOrigin) -> Bool {
        admit(origin) { $0.admitOpen(record.bytes.count, from: origin, at: $1) }
    }

    func admitSigned(_ record: SignedRecord, from origin: RecordOrigin) -> Bool {
        admit(origin) { $0.admitSigned(record.bytes.count, by: record.author, at: $1) }
    }

    /// Admits an own record, as the next node does.
    func admitOwn(_ byteCount: Int, by author: Address) -> Bool {
        admit(.unknown) { $0.admitSigned(byteCount, by: author, at: $1) }
    }

    func admitWaiting(_ record: SignedRecord, from origin: RecordOrigin) -> Bool {
        admit(origin) { $0.admitWaiting(record.bytes.count, from: origin, at: $1) }
    }

    func admitForwarding(_ record: SignedRecord, from origin: RecordOrigin) -> Bool {
        admit(origin) { $0.admitForwarding(record.bytes.count, from: origin, at: $1) }
    }

    func admitCheck(from origin: RecordOrigin) -> Bool {
        admit(origin) { $0.admitCheck(from: origin, at: $1) }
    }

    func countFailedCheck(from origin: RecordOrigin) {
        _ = admit(origin) {
            $0.countFailedCheck(from: origin, at: $1)
            return true
        }
    }

    /// Does not limit data from this node itself, such as mail keys handed to an own home.
    private func admit(
        _ origin: RecordOrigin,
        _ body: (inout RecordAdmission, Moment) -> Bool
    ) -> Bool {
        if origin == .own { return true }
        let now = Moment(sinceStart: clock.timestamp.elapsed(since: began))
        return admission.withLock { body(&$0, now) }
    }
}
