import Answers
import Client
import Hummingbird
import Trade

/// Adds the handlers of a course's lists.
func addStudentRoutes(
    to group: RouterGroup<APIContext>,
    lists: StudentLists,
    ids: IDResolver
) {
    group.on(API.sales.students) { request in
        try lists.students(
            of: ids.sale(request.id, request.context),
            round: request[Query.round].map(UInt64.init),
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.sales.attendance) { request in
        let account = try request.account
        return try await lists.attendance(
            of: ids.sale(request.id, request.context),
            round: request[Query.round].map(UInt64.init),
            by: account,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.perform(API.sales.mark) { request in
        let account = try request.account
        let id = try ids.sale(request.id, request.context, takesTitles: false)
        let named = try await ids.named(request.body, request.context)
        try await lists.mark(named, of: id, by: account)
    }
}

extension IDResolver {
    /// Returns marks with addresses instead of names.
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
