import Contracts
import Hummingbird

/// Adds the routes of operations: `/v1/operations`.
///
/// `runner` is `nil` on a node without a chain, which has operations only if it had one before.
func addOperationRoutes(
    to group: RouterGroup<APIContext>,
    operations: OperationLog,
    runner: OperationRunner?,
    ids: IDResolver
) {
    group.get("operations") { request, context in
        let account = try context.account()
        let page = try operations.operations(
            of: account,
            after: request.uri.queryParameters["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.get("operations/{id}") { _, context in
        let account = try context.account()
        let id = try ids.operation(try context.id(), of: account)
        return try reply(.ok, try operations.entry(id, account: account).operation, context)
    }
    guard let runner else { return }
    for (name, kind) in [("speed-up", SignedAttempt.Kind.speedUp), ("cancel", .cancel)] {
        group.post("operations/{id}/\(name)/preview") { _, context in
            let account = try context.account()
            let id = try ids.operation(try context.id(), of: account)
            let preview = try await runner.preview(replacing: id, with: kind, by: account)
            return try await reply(preview, context)
        }
        group.post("operations/{id}/\(name)") { request, context in
            let account = try context.account()
            let id = try ids.operation(try context.id(), of: account)
            let fee = request.feeMax
            let operation = try await runner.replace(id, with: kind, feeMax: fee, by: account)
            return try reply(.accepted, operation, context)
        }
    }
}
