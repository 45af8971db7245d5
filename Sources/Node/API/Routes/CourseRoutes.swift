import Answers
import Client
import Hummingbird

/// Adds the routes of a course's lists: `/v1/sales/{id}/students`, `/v1/sales/{id}/attendance`.
func addStudentRoutes(
    to group: RouterGroup<APIContext>,
    lists: StudentLists,
    ids: IDResolver
) {
    group.get("sales/{id}/students") { request, context in
        let id = try ids.sale(try context.id(), context)
        let page = try lists.students(
            of: id,
            round: try request.round(),
            after: request.uri.queryParameters["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.get("sales/{id}/attendance") { request, context in
        let account = try context.account()
        let page = try await lists.attendance(
            of: try ids.sale(try context.id(), context),
            round: try request.round(),
            by: account,
            after: request.uri.queryParameters["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.put("sales/{id}/attendance") { request, context in
        let account = try context.account()
        let id = try ids.sale(try context.id(), context)
        let marks: AttendanceMarks = try await request.read(context)
        let named = try await ids.named(marks, context)
        try await lists.mark(named, of: id, by: account)
        return Response(status: .noContent)
    }
}

extension IDResolver {
    /// Returns marks with addresses in place of names.
    fileprivate func named(
        _ marks: AttendanceMarks,
        _ context: APIContext
    ) async throws -> AttendanceMarks {
        func addresses(_ texts: [String]?, _ field: String) async throws -> [String]? {
            guard let texts else { return nil }
            var addresses: [String] = []
            for text in texts {
                addresses.append(try await account(text, context, field: field))
            }
            return addresses
        }
        var named = marks
        named.present = try await addresses(marks.present, "present")
        named.absent = try await addresses(marks.absent, "absent")
        for (place, note) in (marks.notes ?? []).enumerated() {
            let address = try await account(note.account, context, field: "notes.account")
            named.notes?[place].account = address
        }
        return named
    }
}

extension Request {
    /// Returns the round that the query names, if it does.
    fileprivate func round() throws(Refusal) -> UInt64? {
        let query = uri.queryParameters
        guard query.text("round") != nil else { return nil }
        return UInt64(try query.number("round", default: 0, in: 0...255))
    }
}
