/// Accounts whose keys are in wallets outside the node.
extension StoaClient {
    /// Returns the statement with which the owner of a key lets the node keep an account for it.
    ///
    /// - Throws: ``Problem`` with `bad_address`, `malformed_value`.
    public func statement(
        for request: ExternalAccountRequest
    ) async throws -> ExternalAccountStatement {
        try await call(API.accounts.statement, request)
    }

    /// Adds an account whose key is in a wallet outside the node.
    ///
    /// - Throws: ``Problem`` with `bad_signature`, `name_taken` or `weak_password`.
    public func addAccount(_ creation: ExternalAccountCreation) async throws -> Account {
        try await call(API.accounts.addExternal, creation)
    }

    /// Returns the requests that wait for a signature of the account's wallet, oldest first.
    public func signatureRequests() async throws -> [SignatureRequest] {
        try await call(API.operations.signatures)
    }

    /// Returns the signature request of one operation.
    ///
    /// - Throws: ``Problem`` with `unknown_operation`, or `move_not_open` if it waits for none.
    public func signatureRequest(operation id: String) async throws -> SignatureRequest {
        try await call(API.operations.signature, at: id)
    }

    /// Submits the account's wallet's signature; it is accepted only if it matches the request.
    ///
    /// - Returns: The operation, which continues.
    /// - Throws: ``Problem`` with `bad_signature`, `move_not_open` or `unknown_operation`.
    public func give(
        _ answer: SignatureAnswer,
        operation id: String
    ) async throws -> Operation {
        try await call(API.operations.sign, at: id, answer)
    }
}
