import Client
import Contracts
import Keys
import Logging

/// What comes before an errand is carried out: its beginning, or its being left by a former run.
extension OperationRunner {
    /// Refuses what is under way already: under another name the very same would be sent again, and
    /// its fee be paid for nothing.
    func requireNoTwin(of plan: OperationPlan, _ request: OperationRequest) throws {
        let count =
            open.values.count { $0.account == request.account }
            + beginning.count { $0.account == request.account }
        guard count < Self.openMax else {
            throw Refusal(
                .inProgress,
                "\(Self.openMax) operations of this account are under way; wait for some to end."
            )
        }
        guard !plan.steps.isEmpty else { return }
        let same = open.values.first {
            $0.account == request.account && $0.plan.steps == plan.steps
        }
        if let same, try known(request) == nil {
            throw Refusal(
                .inProgress,
                "This is under way already, as operation \(same.operation.id)."
            )
        }
        let isTwin = beginning.contains {
            $0.account == request.account && $0.steps == plan.steps && $0.key != request.key
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
            guard OperationPlan.Kind(rawValue: operation.kind) != nil,
                let plan = try? OperationPlan(bytes: entry.details)  // See endUnreadable().
            else { continue }
            take(operation, try Address(text: operation.account), plan, isLeft: true)
        }
        hasTakenUp = true
    }

    /// Ends what another version has written in a form of its own: it cannot be carried out, and
    /// must not stop the rest.
    func endUnreadable() async throws {
        for entry in try log.unfinished() {
            let operation = entry.operation
            guard OperationPlan.Kind(rawValue: operation.kind) != nil,
                (try? OperationPlan(bytes: entry.details)) == nil
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
        _ plan: OperationPlan,
        isLeft: Bool = false
    ) {
        guard open[operation.id] == nil else { return }
        signingDeadline.note(
            OperationPlan.intentID(operation: operation.id),
            begunAt: operation.createdAt
        )
        open[operation.id] = Open(
            operation: operation,
            account: account,
            plan: plan,
            isWaitingForUnlock: operation.state == "needs_unlock",
            isLeft: isLeft
        )
        order.append(operation.id)
    }
}
