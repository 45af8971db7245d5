import AccountAccess
import Client
import Hummingbird

/// Adds the routes of what wallets outside the node are asked to sign: `/v1/signatures`.
func addSignatureRoutes(
    to group: RouterGroup<APIContext>,
    signatures: SignatureRequests,
    ids: IDResolver
) {
    group.get("signatures") { _, context in
        let account = try context.account()
        return try reply(.ok, try await signatures.list(of: account), context)
    }
    group.get("signatures/{id}") { _, context in
        let account = try context.account()
        let id = try ids.operation(try context.id(), of: account)
        return try reply(.ok, try await signatures.request(of: id, by: account), context)
    }
    group.post("signatures/{id}") { request, context in
        let account = try context.account()
        let id = try ids.operation(try context.id(), of: account)
        let answer: SignatureAnswer = try await request.read(context)
        let operation = try await signatures.take(answer, for: id, by: account)
        return try reply(.accepted, operation, context)
    }
}

/// Adds the routes of accounts whose keys are in wallets outside the node.
func addExternalAccountRoutes(
    to group: RouterGroup<APIContext>,
    accounts: ExternalAccounts
) {
    group.post("external-accounts/statement") { request, context in
        let wanted: ExternalAccountRequest = try await request.read(context)
        return try reply(.ok, try accounts.statement(for: wanted), context)
    }
    group.post("external-accounts") { request, context in
        let creation: ExternalAccountCreation = try await request.readSecret(context)
        let account = try await context.whileConnected {
            try await accounts.add(creation, by: context.callerGroup)
        }
        return try reply(.created, account, context)
    }
}
