import AccountAccess
import Client
import Hummingbird
import Trade

/// Adds the handlers of signature requests to wallets outside the node.
func addSignatureRoutes(
    to group: RouterGroup<APIContext>,
    signatures: SignatureRequests,
    ids: IDResolver
) {
    group.on(API.operations.signatures) { try await signatures.list(of: $0.account) }
    group.on(API.operations.signature) { request in
        let account = try request.account
        return try await signatures.request(of: ids.operation(request.id, of: account), by: account)
    }
    group.on(API.operations.sign) { request in
        let account = try request.account
        let id = try ids.operation(request.id, of: account)
        return try await signatures.take(request.body, for: id, by: account)
    }
}

/// Adds the handlers of accounts whose keys are in wallets outside the node.
func addExternalAccountRoutes(
    to group: RouterGroup<APIContext>,
    accounts: ExternalAccounts
) {
    group.on(API.accounts.statement) { try await accounts.statement(for: $0.body) }
    group.on(API.accounts.addExternal) { request in
        let creation = try await request.body
        return try await request.context.whileConnected {
            try await accounts.add(creation, by: request.context.callerGroup)
        }
    }
}
