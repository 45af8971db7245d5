import Answers
package import Client
import Ethereum
import Keys
package import Market
import Storage

/// How operations get under way: they are asked for, or a former run left them.
extension OperationRunner {
    /// The operation that the same call began before, if it did.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused` if the call was another.
    package func known(_ request: OperationRequest) throws -> Client.Operation? {
        try log.known(request)
    }

    /// Begins the operation that a function plans; a call that already began one is not planned
    /// again.
    ///
    /// - Returns: As ``begin(_:subject:plan:fees:on:)``.
    /// - Throws: The plan's first obstacle; else as ``begin(_:subject:plan:fees:on:)``.
    nonisolated func begin(
        _ request: OperationRequest,
        _ plan: (inout PlannedOperation) async throws -> Void
    ) async throws -> Client.Operation {
        if let known = try await known(request) { return known }
        var planned = PlannedOperation(by: request.account, for: request)
        try await plan(&planned)
        return try await begin(
            request,
            subject: planned.subject,
            plan: planned.operationPlan,
            fees: planned.fees,
            on: planned.preview.chain.map { ChainID($0) }
        )
    }

    /// Begins an operation; from when this returns it is carried out, whatever happens.
    ///
    /// - Parameters:
    ///   - request: The caller and the request.
    ///   - subject: The sale or listing it is about.
    ///   - plan: The plan to carry out.
    ///   - fees: Its maximum fees; `nil` if it sends nothing.
    ///   - chain: The chain that it is about, where its transactions go.
    /// - Returns: The operation, or the one that the same call began earlier.
    /// - Throws: ``Refusal`` with `in_progress` or `idempotency_key_reused`; else the store's
    ///   error.
    package func begin(
        _ request: OperationRequest,
        subject: String?,
        plan: OperationPlan,
        fees: AgreedFees?,
        on chain: ChainID? = nil
    ) async throws -> Client.Operation {
        // Left by a former run, it may be the same as the current request.
        try resume()
        let plan = plan.at(fees?.speed ?? .normal)
        let start = OperationBook.Start(request, plan, on: chain)
        try requireNotUnderWay(plan, request, start)
        try requireUnchanged(by: plan, request, start)
        try requireShare(request, subject: subject)
        book.begin(start)
        defer { book.end(start) }
        if request.isByOwner { try await giveWay(to: plan, about: subject, request) }
        let (operation, isNew) = try await log.begin(
            request,
            subject: subject,
            plan: plan,
            fees: fees,
            on: chain
        )
        guard isNew else { return operation }
        book.note(operation.id, asking: request.content)
        add(OperationLog.Entry(account: request.account, operation: operation, plan: plan))
        inbox.look()
        return operation
    }

    /// Refuses an action that is already under way: under another key the same one would be sent
    /// again, and its fee paid for nothing.
    private func requireNotUnderWay(
        _ plan: OperationPlan,
        _ request: OperationRequest,
        _ start: OperationBook.Start
    ) throws {
        try book.requireRoom(for: request.account)
        guard !plan.steps.isEmpty else { return }
        let first = senders.chains.first
        if let refusal = book.refusal(of: plan, request, on: start.chain, first: first),
            try known(request) == nil
        {
            throw refusal
        }
        try book.requireNotStarting(start)
    }

    /// Refuses a change of listings that another operation changes, if one of the two has
    /// transactions.
    ///
    /// Planning looked for one too, but others can have begun since.
    private func requireUnchanged(
        by plan: OperationPlan,
        _ request: OperationRequest,
        _ start: OperationBook.Start
    ) throws {
        let (account, slots) = (request.account, plan.listingSlots)
        guard !slots.isEmpty, try known(request) == nil else { return }
        try requireUnchanged(slots.map { ListingID(author: account, slot: $0) }, onlyMoving: true)
        try book.requireUnchanged(by: start)
    }

    /// Refuses a move that was begun too often while the store has little room, so that moves that
    /// are begun and cancelled again do not use up the rest.
    private func requireShare(_ request: OperationRequest, subject: String?) throws {
        guard !request.isAddition, try known(request) == nil else { return }
        do {
            try log.requireRoom()
            scarce = [:]
        } catch let error as StorageError where error.isLackOfRoom {
            let place = "\(request.account) \(request.kind.rawValue) \(subject ?? "")"
            guard scarce[place, default: 0] < Self.scarceMax else { throw error }
            scarce[place, default: 0] += 1
        }
    }

    /// Refuses a change of listings that another operation under way publishes.
    ///
    /// The later one of the two records would undo what the earlier one says.
    ///
    /// - Parameters:
    ///   - listings: The listings, all of one author.
    ///   - onlyMoving: Whether operations without transactions do not count.
    /// - Throws: ``Refusal`` with `in_progress`, or the store's error.
    func requireUnchanged(_ listings: [ListingID], onlyMoving: Bool) throws {
        try resume()
        try book.requireUnchanged(listings, onlyMoving: onlyMoving)
    }

    /// Drops the operations of accounts that were removed: nothing more of them is signed, even if
    /// the account returns.
    func forgetRemoved() async throws {
        let gone = try book.open.values.filter {
            try !log.has($0.operation.id, account: $0.account)
        }
        for entry in gone {
            book.forget(entry.operation.id)
            signingDeadline.forget(entry.intent)
        }
        for account in Set(gone.map(\.account)) { try await clear(account) }
    }

    /// Has a sender end the intents that belong to no operation, such as those of an account that
    /// was removed and has returned: they would keep others from being signed.
    func clear(_ account: Address) async throws {
        let kept = book.intents(of: account)
        for chain in senders.chains {
            try await senders.sender(of: account, on: chain)?.abandon(allBut: kept)
        }
    }

    /// Adds the intents that an earlier run left, the first time it is called.
    func resume() throws {
        guard !hasResumed else { return }
        for entry in try log.unfinished(errors) { add(entry, isResumed: true) }
        hasResumed = true
    }

    /// Returns the operations under way, with those that an earlier run left.
    func resumed() throws -> OperationBook {
        try resume()
        return book
    }

    private func add(_ entry: OperationLog.Entry, isResumed: Bool = false) {
        let operation = entry.operation
        guard book[operation.id] == nil else { return }
        let intent = OperationPlan.intentID(operation: operation.id)
        signingDeadline.note(intent, begunAt: operation.createdAt)
        book.add(
            OpenOperation(
                operation: operation,
                account: entry.account,
                plan: entry.plan,
                intent: intent,
                isResumed: isResumed,
                isSubmitted: isResumed
            )
        )
    }
}
