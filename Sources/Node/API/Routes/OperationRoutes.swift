import Hummingbird

/// Long work: `/v1/operations`.
func addOperationRoutes(to group: RouterGroup<APIContext>, operations: OperationLog) {
    group.get("operations") { request, context in
        let account = try context.account()
        let limit = try request.number("limit", default: 20, in: 1...100)
        return try reply(.ok, try operations.operations(of: account, limit: limit), context)
    }
    group.get("operations/{id}") { _, context in
        let account = try context.account()
        let id = try context.id()
        return try reply(.ok, try operations.entry(id, account: account).operation, context)
    }
}
