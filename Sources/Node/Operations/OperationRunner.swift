package import Client
package import Concurrency
package import Contracts
import Foundation
package import Keys
package import Logging
import Market
import Storage

/// Publishes what an errand has to say in the end.
package protocol Publishing: Sendable {
    /// Publishes in the account's name, once however often it is asked.
    ///
    /// - Throws: ``Refusal`` if it will never be published.
    func publish(_ publication: OperationPlan.Publication, by account: Address) async throws
        -> PublishingAnswer

    /// What a failure means to the account, in place of what the chain says of it; `nil` if that
    /// says it all.
    func cause(of problem: Problem, in operation: Client.Operation, by account: Address) -> Problem?
}

extension Publishing {
    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        by account: Address
    ) -> Problem? { nil }
}

/// What became of a publication.
package enum PublishingAnswer: Equatable, Sendable {
    /// It is durable; what every account of the node is told of it, if anything.
    case done(News?)
    /// The account is locked: its key has to sign.
    case locked
    /// Not yet, for this reason.
    case later(String)
}

/// Carries out the operations that move money: hands their transactions to the sender, shows how
/// they get on, and publishes what has to be said once they are final.
///
/// An operation is durable before its transactions are, and its intent's name follows from its id:
/// a crash anywhere in between does it once. A locked account's errands wait.
package actor OperationRunner {
    /// The most of an account that run at once.
    static let openMax = 64

    /// An errand under way.
    struct Open {
        let operation: Client.Operation
        let account: Address
        let plan: OperationPlan
        /// What the operation's record says by now.
        var told: [OperationPhase: OperationProgress.PhaseProgress] = [:]
        var isWaitingForUnlock: Bool
        /// A former run left it: its account was locked since.
        let isLeft: Bool
        var isSubmitted = false
    }

    /// An errand from when it is asked for until it is durable.
    struct Beginning: Equatable {
        let account: Address
        let key: String
        let steps: [OperationPlan.Step]
    }

    let log: OperationLog
    let sending: any Sending
    private let publishing: any Publishing
    private let changes: Broadcast<Void>
    let signingDeadline: SigningDeadline
    let logger: Logger
    var open: [String: Open] = [:]
    var order: [String] = []
    /// OperationRunner that are being written down.
    var beginning: [Beginning] = []
    var hasTakenUp = false

    /// - Parameters:
    ///   - log: Keeps the operations.
    ///   - sending: Carries transactions to the chain.
    ///   - publishing: Publishes records.
    ///   - changes: Rung when an errand may have got on: by the sender, a new head, an unlocking.
    ///   - signingDeadline: When what waits for its owner is too old; the sender goes by the same.
    ///   - logger: Told of what ends badly.
    package init(
        log: OperationLog,
        sending: any Sending,
        publishing: any Publishing,
        changes: Broadcast<Void>,
        signingDeadline: SigningDeadline,
        logger: Logger
    ) {
        self.log = log
        self.sending = sending
        self.publishing = publishing
        self.changes = changes
        self.signingDeadline = signingDeadline
        self.logger = logger
    }

    /// The operation that the same call began before, if it did.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused` if the call was another.
    package func known(_ request: OperationRequest) throws -> Client.Operation? {
        try log.known(
            request.kind.rawValue,
            account: request.account,
            idempotencyKey: request.key,
            request: request.request
        )
    }

    /// Begins an errand; from when this returns it is carried out, whatever happens.
    ///
    /// - Parameters:
    ///   - request: Who asked for what.
    ///   - subject: The sale or listing it is about.
    ///   - plan: What to do.
    ///   - fees: What its fees may be at most; `nil` if it sends nothing.
    /// - Returns: The operation, or the one that the same call began before.
    /// - Throws: ``Refusal`` with `in_progress` or `idempotency_key_reused`; else the store's error.
    package func begin(
        _ request: OperationRequest,
        subject: String?,
        plan: OperationPlan,
        fees: AgreedFees?
    ) async throws -> Client.Operation {
        // Left by a former run, it may be the same as what is asked for now.
        try takeUp()
        try requireNoTwin(of: plan, request)
        let mine = Beginning(account: request.account, key: request.key, steps: plan.steps)
        beginning.append(mine)
        defer { beginning.firstIndex(of: mine).map { _ = beginning.remove(at: $0) } }
        let (operation, isNew) = try await log.begin(
            request.kind.rawValue,
            account: request.account,
            subject: subject,
            phases: plan.phases.map(\.rawValue),
            idempotencyKey: request.key,
            request: request.request,
            details: try plan.bytes,
            feeMax: fees?.feeMax.decimal
        )
        guard isNew else { return operation }
        if let fees, !plan.steps.isEmpty {
            try await log.update(
                operation.id,
                account: request.account,
                phase: OperationPhase.estimate.rawValue,
                state: "running",
                detail: fees.words
            )
        }
        take(operation, request.account, plan)
        changes.send()
        return try log.entry(operation.id, account: request.account).operation
    }

    /// Signs the transaction of an errand that waits to be mined again: with a higher fee, or so
    /// that nothing happens in its stead; what is not signed yet is dropped by cancelling.
    ///
    /// - Parameters:
    ///   - id: The operation.
    ///   - kind: Which of the two.
    ///   - feeMax: What the fee of the new one may be at most, in wei; `nil` for what it is now.
    ///   - account: Whose operation it is.
    /// - Returns: The operation; how it gets on shows in its phases.
    /// - Throws: ``Refusal`` with `unknown_operation`, `fee_above_limit`, or `move_not_open` if
    ///   nothing of it waits.
    package func replace(
        _ id: String,
        with kind: SignedAttempt.Kind,
        feeMax: String? = nil,
        by account: Address
    ) async throws -> Client.Operation {
        let operation = try log.entry(id, account: account).operation
        do {
            guard open[operation.id] != nil else { throw IntentError.nothingToReplace }
            let intent = OperationPlan.intentID(operation: operation.id)
            if try await agree(to: feeMax, replacing: intent, of: id, with: kind, by: account) {
                try await sending.replace(intent, with: kind, by: account)
            } else {
                // It was free when it was agreed to, and is that or nothing.
                try await sending.withdraw(intent, by: account)
            }
        } catch IntentError.nothingToReplace {
            throw Refusal(
                .moveNotOpen,
                "Nothing of this operation waits: it is mined, or is being signed just now."
            )
        }
        return try log.entry(id, account: account).operation
    }

    /// Lets the account sign again although its key is used elsewhere too, which its owner knows.
    ///
    /// - Throws: ``Refusal`` with `move_not_open` if nothing waits for that.
    package func acknowledgeForeignUse(by account: Address) async throws {
        guard try await sending.acknowledgeForeignUse(by: account) else {
            throw Refusal(
                .moveNotOpen,
                "Nothing waits for this: as far as this node sees, nobody else uses the account's "
                    + "key."
            )
        }
    }

    /// Takes up what a former run left, then carries out errands until cancelled.
    package func run() async throws {
        try takeUp()
        try await endUnreadable()
        for await _ in changes.values() {
            for id in order {
                do {
                    try await advance(id)
                } catch let error as StorageError where error.isLackOfRoom {
                    // Its steps so far are kept; it goes on at a later ring.
                    logger.warning("operation waits", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Looks how far an errand is, and does what can be done now.
    private func advance(_ id: String) async throws {
        guard let entry = open[id] else { return }
        guard !entry.plan.steps.isEmpty else {
            let hasWaited = entry.isWaitingForUnlock || entry.isLeft
            if hasWaited, try await endIfExpired(id, entry) { return }
            return try await publish(id, entry)
        }
        guard let progress = try await progress(id, entry) else { return }
        if progress.phase == .needsUnlock, try await endIfExpired(id, entry) { return }
        let report = OperationProgress(progress, stepCount: entry.plan.steps.count)
        try await tell(report.lines, of: id)
        if let problem = report.problem {
            let cause = publishing.cause(of: problem, in: entry.operation, by: entry.account)
            try await end(id, problem: cause ?? problem)
        } else if report.isFinal {
            try await publish(id, entry)
        } else {
            try await setWaiting(report.needsUnlock, id)
        }
    }

    /// Ends an errand that has waited too long for its owner, where nothing of it was ever signed.
    ///
    /// What is signed has to be seen to its end, however old it is.
    private func endIfExpired(_ id: String, _ entry: Open) async throws -> Bool {
        guard signingDeadline.isOver(since: entry.operation.createdAt) else { return false }
        if !entry.plan.steps.isEmpty {
            let isDropped = try await sending.drop(
                OperationPlan.intentID(operation: id),
                because: "it waited for a sign-in for too long",
                by: entry.account
            )
            guard isDropped else { return false }
        }
        let refusal = signingDeadline.refusal
        try await end(
            id,
            problem: refusal.problem,
            last: entry.plan.phases.first ?? .published,
            detail: refusal.detail
        )
        return true
    }

    /// Where its intent is, which is submitted first where it was not.
    ///
    /// `nil` if it cannot be now.
    private func progress(_ id: String, _ entry: Open) async throws -> IntentProgress? {
        do {
            if !entry.isSubmitted {
                try await sending.submit(try entry.plan.intent(operation: id), by: entry.account)
                open[id]?.isSubmitted = true
            }
            return try await sending.progress(
                of: OperationPlan.intentID(operation: id),
                by: entry.account
            )
        } catch IntentError.beingRecorded, IntentError.tooManyOpen {
            return nil
        } catch let error as IntentError {
            logger.error("intent not taken", metadata: ["operation": "\(id)", "why": "\(error)"])
            let refusal = Refusal(.internalError, "The transaction cannot be taken up: \(error).")
            try await end(id, problem: refusal.problem)
            return nil
        }
    }

    private func publish(_ id: String, _ entry: Open) async throws {
        guard let publication = entry.plan.publication else {
            return try await end(id, problem: nil)
        }
        do {
            let answer = try await publishing.publish(publication, by: entry.account)
            try await setWaiting(answer == .locked, id)
            switch answer {
            case .done(let news):
                try await end(id, problem: nil, last: .published, news: news)
            case .locked:
                try await tell([waiting("sign in, so that it can be signed")], of: id)
            case .later(let reason):
                try await tell([waiting(reason)], of: id)
            }
        } catch let refusal as Refusal {
            try await end(
                id,
                problem: refusal.problem,
                last: .published,
                detail: refusal.detail
            )
        }
    }

    private func waiting(_ reason: String) -> OperationProgress.PhaseProgress {
        OperationProgress.PhaseProgress(phase: .published, state: "running", detail: reason)
    }

    /// Writes down the lines that say something new; what is merely to come is there already.
    private func tell(_ lines: [OperationProgress.PhaseProgress], of id: String) async throws {
        for line in lines where line.state != "waiting" {
            guard let entry = open[id], entry.told[line.phase] != line else { continue }
            try await log.update(
                id,
                account: entry.account,
                phase: line.phase.rawValue,
                state: line.state,
                detail: line.detail
            )
            open[id]?.told[line.phase] = line
        }
    }

    private func setWaiting(_ isWaiting: Bool, _ id: String) async throws {
        guard let entry = open[id], entry.isWaitingForUnlock != isWaiting else { return }
        try await log.set(
            id,
            account: entry.account,
            state: isWaiting ? "needs_unlock" : "running"
        )
        open[id]?.isWaitingForUnlock = isWaiting
    }

    /// Ends an operation, in one commit with the end of its last phase and with what all are told.
    private func end(
        _ id: String,
        problem: Problem?,
        last phase: OperationPhase? = nil,
        detail: String? = nil,
        news: News? = nil
    ) async throws {
        // First, so that who hears of the end can begin the same anew.
        guard let entry = open.removeValue(forKey: id) else { return }
        do {
            try await log.finish(
                id,
                account: entry.account,
                problem: problem,
                phase: phase?.rawValue,
                detail: detail,
                news: news
            )
        } catch {
            open[id] = entry
            throw error
        }
        signingDeadline.forget(OperationPlan.intentID(operation: id))
        order.removeAll { $0 == id }
    }
}

/// Who asked for what, by which name.
package struct OperationRequest: Sendable {
    package let kind: OperationPlan.Kind
    package let account: Address
    /// The caller's name for this very act; the same again does it once.
    package let key: String
    /// What was asked, in a fixed form.
    package let request: [UInt8]

    package init(
        _ kind: OperationPlan.Kind,
        by account: Address,
        key: String,
        request: some Encodable,
        feeMax: String? = nil
    ) throws {
        (self.kind, self.account, self.key) = (kind, account, key)
        let fee = feeMax.map { [UInt8](" feeMax ".utf8) + [UInt8]($0.utf8) } ?? []
        self.request = [UInt8](try WireCoding.encoder().encode(request)) + fee
    }
}
