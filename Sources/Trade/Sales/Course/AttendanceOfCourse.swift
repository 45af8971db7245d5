import AccountAccess
import Answers
import Client
import Foundation
import Keys
import Market
import Storage

/// A teacher's entry about one student of a round, before it is sealed.
struct AttendanceEntry: Codable, Equatable, Sendable {
    let account: String
    /// The numbers of the sessions in which the student was present.
    var sessions: Set<UInt64> = []
    var note = ""

    var isEmpty: Bool { sessions.isEmpty && note.isEmpty }
}

/// The changes of one call to a list, checked.
struct AttendanceChanges {
    /// The change of one entry.
    struct Change {
        var present: UInt64?
        var absent: UInt64?
        var note: String?

        func apply(to entry: inout AttendanceEntry) {
            if let present { entry.sessions.insert(present) }
            if let absent { entry.sessions.remove(absent) }
            if let note { entry.note = note }
        }
    }

    private(set) var byStudent: [Address: Change] = [:]

    /// Whether a presence or a note is written, and not only removed.
    var areAdditions: Bool {
        byStudent.values.contains { $0.present != nil || $0.note?.isEmpty == false }
    }

    /// - Throws: ``Refusal``: `malformed_value`, `bad_address`.
    init(_ marks: AttendanceMarks, in view: CourseRoundView) throws {
        let (present, absent) = (marks.present ?? [], marks.absent ?? [])
        let notes = marks.notes ?? []
        try Self.check(marks)
        for text in present {
            let student = try Address.entered(text, field: "present")
            guard view.round.students[student] != nil else {
                throw Refusal(
                    .malformedValue,
                    Sentence(
                        "refusal.noSeat",
                        ["student": "\(student)", "round": "\(view.number)"]
                    ),
                    field: "present"
                )
            }
            byStudent[student, default: Change()].present = marks.session
        }
        for text in absent {
            let student = try Address.entered(text, field: "absent")
            guard byStudent[student]?.present == nil else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.presentAndAbsent", ["student": "\(student)"]),
                    field: "absent"
                )
            }
            byStudent[student, default: Change()].absent = marks.session
        }
        for note in notes {
            let student = try Address.entered(note.account, field: "notes.account")
            byStudent[student, default: Change()].note = note.text
        }
    }

    private static func check(_ marks: AttendanceMarks) throws(Refusal) {
        let (present, absent) = (marks.present ?? [], marks.absent ?? [])
        let marked = present.count + absent.count
        if marked > 0 {
            guard let session = marks.session, (1...StudentLists.sessionsMax).contains(session)
            else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.whichSession", ["most": "\(StudentLists.sessionsMax)"]),
                    field: "session"
                )
            }
        }
        for (field, count) in [("present", present.count), ("absent", absent.count)]
        where count > StudentLists.marksMax {
            throw Refusal(
                .malformedValue,
                Sentence(
                    "refusal.tooManyMarks",
                    ["field": field, "most": "\(StudentLists.marksMax)"]
                ),
                field: field
            )
        }
        let notes = marks.notes ?? []
        guard notes.count <= StudentLists.notesMax,
            notes.allSatisfy({ $0.text.utf8.count <= StudentLists.noteBytesMax })
        else {
            throw Refusal(
                .malformedValue,
                Sentence(
                    "refusal.tooManyNotes",
                    ["most": "\(StudentLists.notesMax)", "bytes": "\(StudentLists.noteBytesMax)"]
                ),
                field: "notes"
            )
        }
    }
}

/// A teacher's list of one round in the store, with the key that opens it.
struct SealedAttendance: Sendable {
    let account: Address
    let view: CourseRoundView
    let seal: LocalSeal

    /// The list's own name, which differs by course and round.
    private var name: Bytes32 {
        let round = Bytes32(words: 0, 0, 0, view.number)
        return Keccak256.hash(view.course.reference.id.hash.bytes + round.bytes)
    }

    private var place: LocalSeal.Context { .attendance(name) }
    private var prefix: CompositeKey<Address, Bytes32> { CompositeKey(account, name) }

    /// Returns the accounts with an entry and without a seat.
    func applicants(
        in transaction: borrowing some ReadableTransaction & ~Copyable
    ) throws -> [Address] {
        let seated = Set(view.round.students.keys.map { digest(of: $0) })
        return try transaction.entries(AttendanceEntries.self, .prefix(prefix))
            .filter { !seated.contains($0.key.second) }
            .map { try Address(text: try open($0.value, named: $0.key.second).account) }
    }

    /// Returns the entry of an account; `nil` if there is none.
    ///
    /// - Throws: If the entry is damaged, or is another account's.
    func entry(
        of student: Address,
        in transaction: borrowing some ReadableTransaction & ~Copyable
    ) throws -> AttendanceEntry? {
        let name = digest(of: student)
        return try transaction.get(AttendanceEntries.self, CompositeKey(prefix, name))
            .map { try open($0, named: name) }
    }

    private func open(_ sealed: [UInt8], named name: Bytes32) throws -> AttendanceEntry {
        let entry = try seal.open(AttendanceEntry.self, sealed, for: place)
        guard digest(of: try Address(text: entry.account)) == name else {
            throw StorageError.corrupt(.value(table: AttendanceEntries.name))
        }
        return entry
    }

    func count(in transaction: borrowing WriteTransaction) throws -> Int {
        try transaction.keys(AttendanceEntries.self, .prefix(prefix)).count
    }

    /// Changes one student's entry; an empty entry is removed.
    func change(
        _ student: Address,
        in transaction: inout WriteTransaction,
        _ change: AttendanceChanges.Change
    ) throws {
        let key = CompositeKey(prefix, digest(of: student))
        var entry =
            try self.entry(of: student, in: transaction)
            ?? AttendanceEntry(account: student.checksummed)
        change.apply(to: &entry)
        if entry.isEmpty {
            try transaction.remove(AttendanceEntries.self, key)
        } else {
            try transaction.put(AttendanceEntries.self, key, try seal.seal(entry, for: place))
        }
    }

    private func digest(of student: Address) -> Bytes32 { seal.digest(student.bytes, for: place) }
}

extension Client.Attendance {
    /// An account's entry, with the chain's view of it.
    init(_ account: Address, name: String?, in view: CourseRoundView, _ entry: AttendanceEntry?) {
        let student = view.round.students[account]
        self.init(
            account: account.checksummed,
            name: name,
            round: view.number,
            enrolledAt: student?.enrolledAt.date,
            state: student?.state,
            sessions: (entry?.sessions ?? []).sorted(),
            note: entry.flatMap { $0.note.isEmpty ? nil : $0.note }
        )
    }
}

extension LocalSeal.Context {
    fileprivate static func attendance(_ list: Bytes32) -> Self {
        Self(bytes: Array("attendance ".utf8) + list.bytes)
    }
}
