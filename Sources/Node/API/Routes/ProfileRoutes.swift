import Client
import Hummingbird
import Mail

/// Adds the routes of public profiles: `/v1/profile`, `/v1/profiles`.
func addProfileRoutes(to group: RouterGroup<APIContext>, profiles: Profiles, ids: IDResolver) {
    group.get("profiles/{id}") { _, context in
        let address = try await ids.account(
            try context.id(),
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(.ok, try profiles.profile(of: address), context)
    }
    group.put("profile") { request, context in
        let account = try context.account()
        let change: ProfileChange = try await request.read(context)
        return try reply(.ok, try await profiles.change(change, of: account), context)
    }
}
