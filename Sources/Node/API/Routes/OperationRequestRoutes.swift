import Contracts
import Hummingbird

/// Adds the routes for operations that are stuck: `/v1/operations`, `/v1/wallet`.
func addOperationRequestRoutes(
    to group: RouterGroup<APIContext>,
    runner: OperationRunner,
    ids: IDResolver
) {
    for (name, kind) in [("speed-up", SignedAttempt.Kind.speedUp), ("cancel", .cancel)] {
        group.post("operations/{id}/\(name)/preview") { _, context in
            let account = try context.account()
            let id = try ids.operation(try context.id(), of: account)
            let preview = try await runner.preview(replacing: id, with: kind, by: account)
            return try reply(.ok, preview, context)
        }
        group.post("operations/{id}/\(name)") { request, context in
            let account = try context.account()
            let id = try ids.operation(try context.id(), of: account)
            let fee = request.feeMax
            let operation = try await runner.replace(id, with: kind, feeMax: fee, by: account)
            return try reply(.accepted, operation, context)
        }
    }
    group.post("wallet/acknowledge") { _, context in
        let account = try context.account()
        try await runner.acknowledgeForeignUse(by: account)
        return Response(status: .noContent)
    }
}
