import Client
import Hummingbird
import Keys

/// Adds the routes of the terms on which accounts are arbiters: `/v1/arbitration`.
func addArbitrationRoutes(
    to group: RouterGroup<APIContext>,
    arbiters: ArbiterRegistry,
    ids: IDResolver
) {
    group.get("arbitration") { request, context in
        let own = try context.account()
        guard let named = request.uri.queryParameters["account"] else {
            return try reply(.ok, try await arbiters.terms(of: own.checksummed), context)
        }
        let account = try await ids.account(
            String(named),
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(.ok, try await arbiters.terms(of: account), context)
    }
    group.post("arbitration/preview") { request, context in
        let account = try context.account()
        let wanted: Arbitration = try await request.read(context)
        return try reply(.ok, try await arbiters.preview(wanted, by: account), context)
    }
    group.post("arbitration") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let wanted: Arbitration = try await request.read(context)
        let begun = try await arbiters.register(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, begun, context)
    }
}
