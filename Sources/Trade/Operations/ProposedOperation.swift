import Answers
package import Client
import Keys
package import Market

/// An action that an account can preview, and begin: one function plans both.
package struct ProposedOperation: Sendable {
    private let kind: Client.Operation.Kind
    /// The full request, for comparing it with others.
    private let content: any Encodable & Sendable
    private let account: Address
    private let acceptsOneSource: Bool
    private let runner: OperationRunner
    private let plan: @Sendable (inout PlannedOperation) async throws -> Void

    init(
        _ kind: Client.Operation.Kind,
        _ content: some Encodable & Sendable,
        by account: Address,
        acceptsOneSource: Bool = false,
        on runner: OperationRunner,
        _ plan: @escaping @Sendable (inout PlannedOperation) async throws -> Void
    ) {
        (self.kind, self.content, self.account) = (kind, content, account)
        (self.acceptsOneSource, self.runner, self.plan) = (acceptsOneSource, runner, plan)
    }

    /// Returns its effect, cost and risks; signs nothing.
    ///
    /// A state confirmed by only one endpoint is not an obstacle: the preview warns of it, and the
    /// account must accept it.
    ///
    /// - Throws: ``Refusal`` if the request is malformed, its subject does not exist or belongs to
    ///   somebody else, or the chain cannot be read. Everything else is an obstacle in words.
    package func preview() async throws -> ActionPreview {
        try await PlannedOperation.preview(by: account, plan)
    }

    /// Begins it.
    ///
    /// - Parameters:
    ///   - key: The caller's name for the call.
    ///   - feeMax: The maximum fees, in wei; `nil` for the present ones.
    ///   - limit: The maximum fees of an action that nobody asked for.
    /// - Returns: The operation that carries it out, or the one that the same call began before.
    /// - Throws: ``Refusal``: the first obstacle, `bad_amount`, `idempotency_key_reused` or
    ///   `in_progress`; or the chain's health.
    package func begin(
        key: String,
        feeMax: String? = nil,
        limit: Amount? = nil
    ) async throws -> Client.Operation {
        try await runner.begin(request(key, feeMax).limited(to: limit), plan)
    }

    /// Returns the operation that the same call of ``begin(key:feeMax:limit:)`` began before; `nil`
    /// if none did.
    ///
    /// - Throws: ``Refusal`` with `idempotency_key_reused`.
    func begun(key: String) async throws -> Client.Operation? {
        try await runner.known(request(key))
    }

    private func request(_ key: String, _ feeMax: String? = nil) throws -> OperationRequest {
        var request = try OperationRequest(kind, content, by: account, key: key, feeMax: feeMax)
        request.acceptsOneSource = acceptsOneSource
        return request
    }
}
