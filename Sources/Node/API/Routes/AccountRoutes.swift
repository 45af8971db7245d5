import Client
import Hummingbird

/// Accounts and sessions: `/v1/accounts`, `/v1/sessions`.
func addAccountRoutes(to group: RouterGroup<APIContext>, accounts: Accounts) {
    group.post("accounts") { request, context in
        let creation: AccountCreation = try await request.read(context)
        return try reply(.created, try await accounts.create(creation), context)
    }
    group.get("accounts") { request, context in
        try reply(.ok, try await accounts.list(), context)
    }
    group.post("sessions") { request, context in
        let signIn: SignIn = try await request.read(context)
        return try reply(.created, try await accounts.signIn(signIn), context)
    }
    group.get("sessions/current") { request, context in
        let address = try context.account()
        return try reply(.ok, try await accounts.account(address), context)
    }
    group.get("events") { _, context -> Response in
        _ = try context.account()
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
