public import Foundation

/// An entry of a teacher's own list of a round: a student, or an applicant without a seat.
///
/// The list is kept on the teacher's node, sealed, and only the teacher can read it.
public struct Attendance: Codable, Hashable, Sendable, DescribedType {
    public var account: String
    /// The name in the account's own profile, if this node has one.
    public var name: String?
    /// The number of the round, from 0.
    public var round: UInt64
    /// When the student enrolled; `nil` for an applicant without a seat.
    public var enrolledAt: Date?
    /// `enrolled`, `rated` or `refunded`; `nil` for an applicant without a seat.
    public var state: String?
    /// The numbers of the sessions in which the student was present, from 1, in order.
    public var sessions: [UInt64]
    /// The teacher's text.
    public var note: String?

    package static let fields: [String: FieldFacts] = [
        "account": .address, "name": "ana", "round": .round, "state": "enrolled",
    ]

    public init(
        account: String,
        name: String? = nil,
        round: UInt64,
        enrolledAt: Date? = nil,
        state: String? = nil,
        sessions: [UInt64],
        note: String? = nil
    ) {
        (self.account, self.name, self.round) = (account, name, round)
        (self.enrolledAt, self.state) = (enrolledAt, state)
        (self.sessions, self.note) = (sessions, note)
    }
}

/// Changes a teacher's own list of a round; the same changes again change nothing.
public struct AttendanceMarks: Codable, Hashable, Sendable, DescribedType {
    /// The number of the round, from 0; `nil` is the last one.
    public var round: UInt64?
    /// The number of the session that `present` and `absent` are about, from 1 to 1,000.
    public var session: UInt64?
    /// The accounts that were present, at most 1,000; each is a student of the round.
    public var present: [String]?
    /// The accounts whose mark is removed, at most 1,000.
    public var absent: [String]?
    /// Notes that replace earlier ones, at most 100; an empty text removes one.
    public var notes: [Note]?

    package static let fields: [String: FieldFacts] = [
        "round": .round, "present": .address.orName, "absent": .address.orName,
    ]

    public init(
        round: UInt64? = nil,
        session: UInt64? = nil,
        present: [String]? = nil,
        absent: [String]? = nil,
        notes: [Note]? = nil
    ) {
        (self.round, self.session) = (round, session)
        (self.present, self.absent, self.notes) = (present, absent, notes)
    }

    /// The teacher's note about a student or an applicant.
    public struct Note: Codable, Hashable, Sendable, DescribedType {
        public var account: String
        /// At most 1,000 bytes.
        public var text: String

        package static let fields: [String: FieldFacts] = ["account": .address.orName]

        public init(account: String, text: String) { (self.account, self.text) = (account, text) }
    }
}
