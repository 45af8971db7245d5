import Hummingbird

/// Adds the routes of operations: `/v1/operations`.
func addOperationRoutes(
    to group: RouterGroup<APIContext>,
    operations: OperationLog,
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
}
