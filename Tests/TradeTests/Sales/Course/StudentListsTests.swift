import AccountAccess
import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade

/// The lists of a course's students, without a chain.
struct StudentListsTests {
    private static let (ana, bo, cy) = (CourseMarket.ana, CourseMarket.bo, CourseMarket.cy)

    /// A node with Ana's course, and Ana signed in.
    private struct Node {
        let folder: TemporaryFolder
        let store: Store
        let accounts: Accounts
        let lists: StudentLists
        let sale: String

        /// Creates the course; the students have enrolled in round 0, a second after each other.
        init(
            students: [Address],
            mapBytes: Int = 1 << 28,
            limits: StoreLimits = StoreLimits()
        ) throws {
            folder = try TemporaryFolder()
            store = try Store(folder: folder.path, mapBytes: mapBytes, limits: limits)
            accounts = Accounts(
                store: store,
                cost: try KeystoreCost(rounds: 2, blockSize: 8, parallelism: 1),
                idle: .seconds(3_600),
                life: .seconds(3_600)
            )
            let courses = try CourseMarket()
            var terms = CourseMarket.terms
            terms.seats = 2_000
            var steps = try CourseSteps(terms, in: courses)
            for (number, student) in students.enumerated() {
                let time = CourseMarket.start.advanced(by: .seconds(number))
                try steps.make(.enrol, by: student, at: time)
            }
            let index = courses.index()
            let events = steps.events.map { event in
                (
                    height: event.position.blockNumber,
                    event: SaleLedger.Event(of: CourseMarket.address, .sale(event))
                )
            }
            let last = events.last?.height ?? 1
            _ = index.apply(events, upTo: BlockID(number: last, hash: .zero))
            lists = StudentLists(
                saleIndexes: SaleIndexes([index]),
                store: store,
                accounts: accounts
            )
            sale = steps.state.reference.id.description
        }

        /// - Returns: The session's token.
        @discardableResult
        func signIn() async throws -> String {
            let key = String(repeating: "01", count: 32)
            let password = "correct horse"
            _ = try await AccountCreator(for: accounts).importKey(
                AccountImport(name: "ana", password: password, privateKey: key),
                by: .operator
            )
            return try await accounts.signIn(SignIn(account: "ana", password: password)).token
        }

        func all(of account: Address, limit: Int) async throws -> [Client.Attendance] {
            var entries: [Client.Attendance] = []
            var after: String?
            repeat {
                let page = try await lists.attendance(
                    of: sale,
                    by: account,
                    after: after,
                    limit: limit
                )
                entries += page.items
                after = page.next
            } while after != nil
            return entries
        }
    }

    private static func address(_ number: Int) -> Address {
        Address(Keccak256.hash([UInt8]("\(number)".utf8)).bytes.suffix(20)) ?? .zero
    }

    private static func code(_ body: () async throws -> some Sendable) async -> ProblemCode? {
        let refusal = await #expect(throws: Refusal.self) { _ = try await body() }
        return refusal?.code
    }

    @Test func `pages 1,200 students in the order of their enrolment, each once`() throws {
        let students = (0..<1_200).map { Self.address($0) }
        let node = try Node(students: students)
        var found: [String] = []
        var after: String?
        var pages = 0
        repeat {
            let page = try node.lists.students(of: node.sale, after: after, limit: 100)
            found += page.items.map(\.account)
            after = page.next
            pages += 1
        } while after != nil
        #expect(found == students.map(\.checksummed) && pages == 12)
        let first = try node.lists.students(of: node.sale, round: 0, limit: 1).items.first
        #expect(first?.enrolledAt.timeIntervalSince1970 == Double(CourseMarket.start.seconds))
        #expect(first?.state == "enrolled" && first?.points == nil && first?.name == nil)
    }

    /// - From people: the students of a sale that is not a course, or of a round that does not
    ///   exist →
    ///   not_found, malformed_value
    @Test func `refuses a missing round, another kind of sale and a bad cursor`() throws {
        let node = try Node(students: [Self.bo])
        func refusal(_ body: () throws -> some Any) -> Refusal? {
            #expect(throws: Refusal.self) { _ = try body() }
        }
        let round = refusal { try node.lists.students(of: node.sale, round: 1, limit: 20) }
        #expect(round?.code == .malformedValue && round?.field == "round")
        #expect(round?.detail == "The course has only its first round (0).")
        let place = refusal { try node.lists.students(of: node.sale, after: "x", limit: 20) }
        #expect(place?.field == "after")
        let items = ItemMarket()
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        let auction = try AuctionSteps(terms, in: items)
        let index = SaleIndex(deployment: items.market, confirmations: 1, clock: ManualClock())
        _ = index.apply(
            auction.events.map {
                (height: 10, event: SaleLedger.Event(of: ItemMarket.auctionAddress, .sale($0)))
            },
            upTo: BlockID(number: 10, hash: .zero)
        )
        let lists = StudentLists(
            saleIndexes: SaleIndexes([index]),
            store: node.store,
            accounts: node.accounts
        )
        let id = auction.sale.id.description
        let other = refusal { try lists.students(of: id, limit: 20) }
        #expect(other?.code == .notFound)
        let none = refusal { try node.lists.students(of: "0x00", limit: 20) }
        #expect(none?.code == .unknownSale)
    }

    @Test func `a teacher marks attendance and notes about others`() async throws {
        let node = try Node(students: [Self.bo, Self.cy])
        try await node.signIn()
        let (bo, cy) = (Self.bo.checksummed, Self.cy.checksummed)
        let applicant = testKey(77).address.checksummed
        func mark(_ marks: AttendanceMarks) async throws {
            try await node.lists.mark(marks, of: node.sale, by: Self.ana)
        }
        try await mark(AttendanceMarks(session: 1, present: [bo, cy]))
        try await mark(AttendanceMarks(session: 2, present: [bo]))
        // The same again changes nothing.
        try await mark(AttendanceMarks(session: 2, present: [bo]))
        try await mark(AttendanceMarks(session: 1, absent: [cy]))
        let asked = AttendanceMarks.Note(account: applicant, text: "Asked for a later round.")
        try await mark(AttendanceMarks(round: 0, notes: [asked]))
        for limit in [1, 2, 3, 20] {
            let list = try await node.all(of: Self.ana, limit: limit)
            #expect(list.map(\.account) == [bo, cy, applicant], "\(limit)")
            #expect(list.map(\.sessions) == [[1, 2], [], []])
            #expect(list.map(\.state) == ["enrolled", "enrolled", nil])
            #expect(list.map(\.note) == [nil, nil, "Asked for a later round."])
            #expect(list.last?.enrolledAt == nil)
        }
        try await mark(AttendanceMarks(notes: [.init(account: applicant, text: "")]))
        #expect(try await node.all(of: Self.ana, limit: 20).map(\.account) == [bo, cy])
    }

    /// - From people: presences and notes while the store has little room → store_full; what removes
    ///   them is done
    @Test func `adds nothing to a list while the store has little room`() async throws {
        var limits = StoreLimits()
        limits.reservedBytes = 1 << 20
        let node = try Node(students: [Self.bo], mapBytes: 1 << 24, limits: limits)
        try await node.signIn()
        let bo = Self.bo.checksummed
        func mark(_ marks: AttendanceMarks) async throws {
            try await node.lists.mark(marks, of: node.sale, by: Self.ana)
        }
        func note(_ text: String) -> AttendanceMarks {
            AttendanceMarks(notes: [.init(account: bo, text: text)])
        }
        try await mark(note("Late."))
        await #expect(throws: StorageError.mapFull(.begin)) {
            for number in 1... as PartialRangeFrom<UInt64> {
                let list = CompositeKey(Self.cy, Bytes32.zero)
                let key = CompositeKey(list, Bytes32(words: 0, 0, 0, number))
                let entry = [UInt8](repeating: 7, count: 20_000)
                try await node.store.add { try $0.put(AttendanceEntries.self, key, entry) }
            }
        }
        for marks in [note("Later."), AttendanceMarks(session: 1, present: [bo])] {
            await #expect(throws: StorageError.mapFull(.begin)) { try await mark(marks) }
        }
        try await mark(note(""))
        #expect(try await node.all(of: Self.ana, limit: 20).map(\.note) == [nil])
    }

    /// - From people: reading or changing a teacher's list as another account, or while the
    ///   teacher's account is locked → not_your_sale, needs_unlock
    @Test func `only the teacher can read or change the list, and only unlocked`() async throws {
        let node = try Node(students: [Self.bo])
        let marks = AttendanceMarks(session: 1, present: [Self.bo.checksummed])
        let lists = node.lists
        for account in [Self.bo, testKey(77).address] {
            #expect(
                await Self.code { try await lists.mark(marks, of: node.sale, by: account) }
                    == .notYourSale
            )
            #expect(
                await Self.code {
                    try await lists.attendance(of: node.sale, by: account, limit: 20)
                } == .notYourSale
            )
        }
        #expect(
            await Self.code { try await lists.mark(marks, of: node.sale, by: Self.ana) }
                == .nodeLocked
        )
        let token = try await node.signIn()
        try await lists.mark(marks, of: node.sale, by: Self.ana)
        await node.accounts.signOut(Keccak256.hash(token.utf8))
        #expect(
            await Self.code {
                try await lists.attendance(of: node.sale, by: Self.ana, limit: 20)
            } == .nodeLocked
        )
    }

    @Test func `a list is sealed in the store and removed with its account`() async throws {
        let node = try Node(students: [Self.bo])
        try await node.signIn()
        let note = AttendanceMarks.Note(account: Self.bo.checksummed, text: "pays in person")
        let marks = AttendanceMarks(session: 7, present: [Self.bo.checksummed], notes: [note])
        try await node.lists.mark(marks, of: node.sale, by: Self.ana)
        let kept = try node.store.read { try $0.entries(AttendanceEntries.self, .all()) }
        #expect(kept.count == 1)
        let secrets = [[UInt8](note.text.utf8), Self.bo.bytes, [UInt8](note.account.utf8)]
        for (key, value) in kept {
            for secret in secrets {
                #expect(!value.contains(secret) && !key.second.bytes.contains(secret))
            }
        }
        try await node.store.write { try $0.removeAccount(Self.ana) }
        #expect(try node.store.read { try $0.entries(AttendanceEntries.self, .all()) }.isEmpty)
    }

    @Test func `detects an entry under another student's key`() async throws {
        let node = try Node(students: [Self.bo, Self.cy])
        try await node.signIn()
        for (session, student) in [(1, Self.bo), (2, Self.cy)] as [(UInt64, Address)] {
            let marks = AttendanceMarks(session: session, present: [student.checksummed])
            try await node.lists.mark(marks, of: node.sale, by: Self.ana)
        }
        let kept = try node.store.read { try $0.entries(AttendanceEntries.self, .all()) }
        try await node.store.write { transaction in
            try transaction.put(AttendanceEntries.self, kept[0].key, kept[1].value)
        }
        await #expect(throws: StorageError.self) { try await node.all(of: Self.ana, limit: 20) }
    }

    /// - From people: marks without a valid session, for an account without a seat, both present
    ///   and absent, or too many; notes that are too long → malformed_value, bad_address
    @Test(arguments: [
        (AttendanceMarks(present: [bo.checksummed]), "session"),
        (AttendanceMarks(session: 0, present: [bo.checksummed]), "session"),
        (AttendanceMarks(session: 1_001, absent: [bo.checksummed]), "session"),
        (AttendanceMarks(session: 1, present: [testKey(77).address.checksummed]), "present"),
        (AttendanceMarks(session: 1, present: ["0x12"]), "present"),
        (
            AttendanceMarks(session: 1, present: [bo.checksummed], absent: [bo.checksummed]),
            "absent"
        ),
        (
            AttendanceMarks(
                session: 1,
                present: [String](repeating: bo.checksummed, count: 1_001)
            ), "present"
        ),
        (AttendanceMarks(round: 3, session: 1), "round"),
        (
            AttendanceMarks(
                notes: [.init(account: bo.checksummed, text: String(repeating: "x", count: 1_001))]
            ), "notes"
        ),
    ])
    func `invalid marks change nothing`(marks: AttendanceMarks, field: String) async throws {
        let node = try Node(students: [Self.bo])
        try await node.signIn()
        let refusal = await #expect(throws: Refusal.self) {
            try await node.lists.mark(marks, of: node.sale, by: Self.ana)
        }
        #expect(refusal?.field == field)
        #expect(try node.store.read { try $0.entries(AttendanceEntries.self, .all()) }.isEmpty)
    }
}

extension [UInt8] {
    /// Whether the bytes are somewhere in these.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains { Array(self[$0..<($0 + part.count)]) == part }
    }
}
