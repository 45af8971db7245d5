import Client
import Contracts
import Keys
import Logging

/// What comes before an errand is carried out: its beginning, or its being left by a former run.
extension Errands {
    /// Refuses what is under way already: under another name the very same would be sent again, and
    /// its fee be paid for nothing.
    func requireNoTwin(of errand: Errand, _ act: Act) throws {
        let count =
            open.values.count { $0.account == act.account }
            + beginning.count { $0.account == act.account }
        guard count < Self.openMax else {
            throw Refusal(
                .inProgress,
                "\(Self.openMax) operations of this account are under way; wait for some to end."
            )
        }
        guard !errand.steps.isEmpty else { return }
        let same = open.values.first {
            $0.account == act.account && $0.errand.steps == errand.steps
        }
        if let same, try known(act) == nil {
            throw Refusal(
                .inProgress,
                "This is under way already, as operation \(same.operation.id)."
            )
        }
        let isTwin = beginning.contains {
            $0.account == act.account && $0.steps == errand.steps && $0.key != act.key
        }
        if isTwin {
            throw Refusal(
                .inProgress,
                "Another call is beginning the same now. Look at GET /v1/operations."
            )
        }
    }

    /// Takes up what a former run left, the first time it is called.
    func takeUp() throws {
        guard !hasTakenUp else { return }
        for entry in try log.unfinished() {
            let operation = entry.operation
            guard Errand.Kind(rawValue: operation.kind) != nil,
                let errand = try? Errand(bytes: entry.details)  // See endUnreadable().
            else { continue }
            take(operation, try Address(text: operation.account), errand, isLeft: true)
        }
        hasTakenUp = true
    }

    /// Ends what another version has written in a form of its own: it cannot be carried out, and
    /// must not stop the rest.
    func endUnreadable() async throws {
        for entry in try log.unfinished() {
            let operation = entry.operation
            guard Errand.Kind(rawValue: operation.kind) != nil,
                (try? Errand(bytes: entry.details)) == nil
            else { continue }
            logger.error("operation not readable", metadata: ["operation": "\(operation.id)"])
            let refusal = Refusal(
                .internalError,
                "This version cannot read what an earlier one began. Look at the sale, then begin "
                    + "again."
            )
            let account = try Address(text: operation.account)
            try await log.finish(operation.id, account: account, problem: refusal.problem)
        }
    }

    func take(
        _ operation: Client.Operation,
        _ account: Address,
        _ errand: Errand,
        isLeft: Bool = false
    ) {
        guard open[operation.id] == nil else { return }
        lapse.note(Errand.intentID(operation: operation.id), begunAt: operation.createdAt)
        open[operation.id] = Open(
            operation: operation,
            account: account,
            errand: errand,
            isWaitingForUnlock: operation.state == "needs_unlock",
            isLeft: isLeft
        )
        order.append(operation.id)
    }
}
