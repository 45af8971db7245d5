import AccountAccess
import Answers
import Client
import Hummingbird
import Keys

/// Adds the routes of accounts and sessions: `/v1/accounts`, `/v1/sessions`.
///
/// `open` returns the unfinished work of an account.
func addAccountRoutes(
    to group: RouterGroup<APIContext>,
    accounts: Accounts,
    recovery: Recovery,
    open: @escaping @Sendable (Address) throws -> UnfinishedWork
) {
    group.post("accounts") { request, context in
        let creation: AccountCreation = try await request.readSecret(context)
        let created = try await context.whileConnected {
            try await accounts.create(creation, by: context.callerGroup)
        }
        return try reply(.created, created, context)
    }
    group.post("accounts/{id}/remove") { request, context in
        let removal: AccountRemoval = try await request.readSecret(context)
        let id = try context.id()
        try await context.whileConnected {
            try await accounts.remove(id, removal, by: context.callerGroup, open: open)
        }
        return Response(status: .noContent)
    }
    addKeyRoutes(to: group, accounts: accounts)
    group.get("accounts") { request, context in
        try reply(.ok, try await accounts.list(), context)
    }
    group.post("sessions") { request, context in
        let signIn: SignIn = try await request.readSecret(context)
        let session = try await context.whileConnected {
            try await accounts.signIn(signIn, by: context.callerGroup)
        }
        return try reply(.created, session, context)
    }
    group.get("sessions/current") { request, context in
        let address = try context.account()
        return try reply(.ok, try await accounts.account(address), context)
    }
    group.get("recovery") { _, context in
        try reply(.ok, try await recovery.report(for: try context.account()), context)
    }
    group.get("events") { request, context -> Response in
        _ = try context.account()
        _ = try EventQuery(request.uri.description)
        throw Refusal(
            .upgradeNeeded,
            "Events come over a WebSocket: ask with 'Upgrade: websocket' and 'Sec-WebSocket-Version: "
                + "\(EventSocket.version)'."
        )
    }
    group.delete("sessions/current") { _, context in
        guard case .account(_, let token) = context.caller else {
            _ = try context.account()
            return Response(status: .noContent)
        }
        await accounts.signOut(token: token)
        return Response(status: .noContent)
    }
}

/// Adds the routes that take keys in and give them out, and set passwords.
private func addKeyRoutes(to group: RouterGroup<APIContext>, accounts: Accounts) {
    group.post("accounts/import") { request, context in
        let wanted: AccountImport = try await request.readSecret(context)
        let account = try await context.whileConnected {
            try await accounts.importKey(wanted, by: context.callerGroup)
        }
        return try reply(.created, account, context)
    }
    group.post("accounts/{id}/password") { request, context in
        let change: PasswordChange = try await request.readSecret(context)
        let id = try context.id()
        try await context.whileConnected {
            try await accounts.changePassword(of: id, change, by: context.callerGroup)
        }
        return Response(status: .noContent)
    }
    group.post("accounts/{id}/keystore") { request, context in
        let proof: PasswordProof = try await request.readSecret(context)
        let id = try context.id()
        let file = try await context.whileConnected {
            try await accounts.exportKeystore(of: id, proof, by: context.callerGroup)
        }
        return try reply(.ok, file, context)
    }
    group.post("accounts/{id}/key") { request, context in
        let proof: PasswordProof = try await request.readSecret(context)
        let id = try context.id()
        let key = try await context.whileConnected {
            try await accounts.revealKey(of: id, proof, by: context.callerGroup)
        }
        return try reply(.ok, key, context)
    }
}
