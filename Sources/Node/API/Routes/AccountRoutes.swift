import Client
import Hummingbird
import Keys

/// Adds the routes of accounts and sessions: `/v1/accounts`, `/v1/sessions`.
///
/// `open` returns the unfinished work of an account.
func addAccountRoutes(
    to group: RouterGroup<APIContext>,
    accounts: Accounts,
    open: @escaping @Sendable (Address) throws -> UnfinishedWork
) {
    group.post("accounts") { request, context in
        let creation: AccountCreation = try await request.readSecret(context)
        let created = try await context.whileConnected {
            try await accounts.create(creation, by: context.asker)
        }
        return try reply(.created, created, context)
    }
    group.post("accounts/{id}/remove") { request, context in
        let removal: AccountRemoval = try await request.readSecret(context)
        let id = try context.id()
        try await context.whileConnected {
            try await accounts.remove(id, removal, by: context.asker, open: open)
        }
        return Response(status: .noContent)
    }
    group.get("accounts") { request, context in
        try reply(.ok, try await accounts.list(), context)
    }
    group.post("sessions") { request, context in
        let signIn: SignIn = try await request.readSecret(context)
        let session = try await context.whileConnected {
            try await accounts.signIn(signIn, by: context.asker)
        }
        return try reply(.created, session, context)
    }
    group.get("sessions/current") { request, context in
        let address = try context.account()
        return try reply(.ok, try await accounts.account(address), context)
    }
    group.get("events") { request, context -> Response in
        _ = try context.account()
        _ = try EventQuery(request.uri.description)
        throw Refusal(
            .upgradeNeeded,
            "Events come over a WebSocket: ask with 'Upgrade: websocket'."
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
