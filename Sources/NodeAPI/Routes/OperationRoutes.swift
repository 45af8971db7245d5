import Client
import Ethereum
import Hummingbird
import Trade

/// Adds the handlers of operations.
///
/// `replacer` is `nil` on a node without a chain, which has operations only if it had one before.
func addOperationRoutes(
    to group: RouterGroup<APIContext>,
    operations: OperationLog,
    replacer: OperationReplacer?,
    ids: IDResolver
) {
    group.on(API.operations.list) { request in
        try operations.operations(
            of: request.account,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.operations.operation) { request in
        let account = try request.account
        let id = try ids.operation(request.id, of: account)
        return try operations.entry(id, account: account).operation
    }
    guard let replacer else { return }
    for (call, preview, kind) in [
        (API.operations.speedUp, API.operations.previewSpeedUp, SignedAttempt.Kind.speedUp),
        (API.operations.cancel, API.operations.previewCancel, .cancel),
    ] {
        group.on(preview) { request in
            let account = try request.account
            let id = try ids.operation(request.id, of: account)
            return try await replacer.preview(replacing: id, with: kind, by: account)
        }
        group.on(call) { request in
            let account = try request.account
            let id = try ids.operation(request.id, of: account)
            return try await replacer.replace(id, with: kind, feeMax: request.feeMax, by: account)
        }
    }
}
