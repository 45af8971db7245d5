import AccountAccess
import Answers
import Client
import Hummingbird
import Keys
import Mail
import Trade

/// Adds the handlers of accounts and sessions.
///
/// `open` returns the unfinished work of an account.
func addAccountRoutes(
    to group: RouterGroup<APIContext>,
    accounts: Accounts,
    creator: AccountCreator,
    recovery: Recovery,
    profiles: ProfilePublisher,
    open: @escaping @Sendable (Address) throws -> UnfinishedWork
) {
    group.on(API.accounts.create) { request in
        let creation = try await request.body
        return try await request.context.whileConnected {
            try await creator.create(creation, by: request.context.callerGroup)
        }
    }
    group.perform(API.accounts.remove) { request in
        let (removal, id) = (try await request.body, try request.id)
        try await request.context.whileConnected {
            let caller = request.context.callerGroup
            try await accounts.remove(id, removal, by: caller, open: open) { key in
                try await profiles.withdraw(by: key, isWanted: removal.withdrawsProfile)
            }
        }
    }
    addKeyRoutes(to: group, accounts: accounts, creator: creator)
    addUnattendedRoutes(to: group, accounts: accounts)
    group.on(API.accounts.list) { _ in try await accounts.list() }
    group.on(API.accounts.recovery) { try await recovery.report(for: $0.account) }
    addSessionRoutes(to: group, accounts: accounts)
    group.answer(API.node.events) { request in
        _ = try request.account
        _ = try EventQuery(request.request.uri.description)
        throw Refusal(
            .upgradeNeeded,
            forPrograms: "Events are sent over a WebSocket: send 'Upgrade: websocket' and "
                + "'Sec-WebSocket-Version: \(EventSocket.version)'."
        )
    }
}

/// Adds the handlers of accounts that are left alone.
private func addUnattendedRoutes(to group: RouterGroup<APIContext>, accounts: Accounts) {
    group.on(API.accounts.leaveAlone) { request in
        let (wanted, id) = (try await request.body, try request.id)
        return try await request.context.whileConnected {
            try await accounts.leaveAlone(id, wanted, by: request.context.callerGroup)
        }
    }
    group.on(API.accounts.unattended) { request in
        try await accounts.unattended.moves(ofAccount: try request.id)
    }
    group.perform(API.accounts.endUnattended) { request in
        try await accounts.unattended.end(try request.id, by: request.context.signedIn)
    }
}

/// Adds the handlers that take keys in and give them out, and set passwords.
private func addKeyRoutes(
    to group: RouterGroup<APIContext>,
    accounts: Accounts,
    creator: AccountCreator
) {
    group.on(API.accounts.importKey) { request in
        let wanted = try await request.body
        return try await request.context.whileConnected {
            try await creator.importKey(wanted, by: request.context.callerGroup)
        }
    }
    group.perform(API.accounts.changePassword) { request in
        let (change, id) = (try await request.body, try request.id)
        try await request.context.whileConnected {
            try await accounts.changePassword(of: id, change, by: request.context.callerGroup)
        }
    }
    group.on(API.accounts.keystore) { request in
        let (proof, id) = (try await request.body, try request.id)
        return try await request.context.whileConnected {
            try await accounts.exportKeystore(of: id, proof, by: request.context.callerGroup)
        }
    }
    group.on(API.accounts.key) { request in
        let (proof, id) = (try await request.body, try request.id)
        return try await request.context.whileConnected {
            try await accounts.revealKey(of: id, proof, by: request.context.callerGroup)
        }
    }
}
