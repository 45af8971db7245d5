/// The lists of a course.
extension StoaClient {
    /// Returns one page of the students of a round, those who enrolled first first.
    ///
    /// - Parameters:
    ///   - sale: The course's sale.
    ///   - round: The number of the round, from 0; the last one if it is `nil`.
    ///   - limit: The maximum number of students, at most 100.
    ///   - after: The ``Page/next`` of the page before.
    /// - Returns: The students.
    /// - Throws: ``Problem`` or ``ClientError``.
    public func students(
        of sale: String,
        round: UInt64? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Student> {
        try await call(
            API.sales.students,
            at: sale,
            query: [
                Query.round(round.map { Int(clamping: $0) }), Query.limit(limit),
                Query.after(after),
            ]
        )
    }

    /// Returns one page of the account's own list of a round that it teaches: all students, then
    /// the applicants without a seat.
    ///
    /// - Parameters: As those of ``students(of:round:limit:after:)``.
    /// - Returns: The entries.
    /// - Throws: ``Problem`` or ``ClientError``; the account has to be the teacher's.
    public func attendance(
        of sale: String,
        round: UInt64? = nil,
        limit: Int = 20,
        after: String? = nil
    ) async throws -> Page<Attendance> {
        try await call(
            API.sales.attendance,
            at: sale,
            query: [
                Query.round(round.map { Int(clamping: $0) }), Query.limit(limit),
                Query.after(after),
            ]
        )
    }

    /// Changes the account's own list of a round that it teaches.
    public func mark(_ marks: AttendanceMarks, in sale: String) async throws {
        try await call(API.sales.mark, at: sale, marks)
    }
}
