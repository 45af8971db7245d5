import Client
import Hummingbird
import Mail

/// Adds the handlers of public profiles.
func addProfileRoutes(to group: RouterGroup<APIContext>, profiles: Profiles, ids: IDResolver) {
    group.on(API.accounts.profile) { request in
        let address = try await ids.account(
            request.id,
            request.context,
            findsSellers: true,
            field: "account"
        )
        return try profiles.profile(of: address)
    }
    group.on(API.accounts.changeProfile) { try await profiles.change($0.body, of: $0.account) }
}
