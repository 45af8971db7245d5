import BigInt
import Keys
import Market
import Testing

/// Visits every reachable state of small courses, at times before, on and after each deadline.
struct CourseExplorerTests {
    /// The size of the courses that are explored.
    struct Size: Sendable, CustomTestStringConvertible {
        let students: Int
        let rounds: Int

        var testDescription: String { "\(students) students, \(rounds) rounds" }
    }

    private static let sizes = [Size(students: 2, rounds: 2), Size(students: 3, rounds: 1)]

    /// A state, with the path to it.
    private struct Visit {
        var run: CourseRun
        var time = Samples.chainNow

        var round: CourseRound { run.course.rounds[run.course.rounds.count - 1] }
    }

    @Test(arguments: sizes)
    func `one honest party can end the round from every state, given time`(size: Size) throws {
        let visits = try everyVisit(size)
        let statuses = Set(visits.flatMap { $0.run.course.rounds.map(\.status) })
        #expect(statuses == Set(CourseStatus.allCases))
        #expect(visits.count > 100)
        for visit in visits {
            try expectRefunds(of: visit)
            let terms = visit.round.terms
            switch visit.round.status {
            case .open:
                // A student alone cancels and has everything back.
                for student in visit.round.students.keys {
                    var end = visit
                    end.time = max(visit.time, terms.beginUntil)
                    try make(.cancel, end.run.course.lastRound, by: student, in: &end)
                    #expect(end.round.status == .cancelled)
                    try expectRefunds(of: end)
                }
                if visit.time < terms.beginUntil { try expectPaidTeacher(of: visit) }
            case .begun: try expectPaidTeacher(of: visit)
            case .settled, .cancelled: break
            }
        }
    }

    @Test(arguments: sizes)
    func `accepts exactly the open moves`(size: Size) throws {
        for visit in try everyVisit(size) {
            for account in people(size) + [ItemSamples.platform] {
                let open = visit.run.course.actions(for: account, at: visit.time).moves
                for move in open { #expect(!move.consequence.isEmpty) }
                for move in attempts(in: visit) {
                    let isAccepted = visit.run.model.accepts(move, by: account, at: visit.time)
                    #expect(open.contains { $0.move == move } == isAccepted, "\(move)")
                    // `Begun` does not name the account that made the move.
                    if move.action == .begin, account != CourseModel.teacher { continue }
                    var next = visit
                    do {
                        try make(move.action, move.round, by: account, in: &next)
                        #expect(isAccepted, "\(move) in \(visit.round.status)")
                        expectAgreement(next)
                    } catch {
                        #expect(!isAccepted, "\(move) in \(visit.round.status): \(error)")
                        #expect(next.run.course == visit.run.course)
                    }
                }
            }
        }
    }

    @Test func `detects a missing, forged or misordered credit`() throws {
        let size = Size(students: 2, rounds: 1)
        var count = 0
        for visit in try everyVisit(size) {
            for (account, move) in people(size).flatMap({ who in
                attempts(in: visit).map { (who, $0) }
            }) where visit.run.model.accepts(move, by: account, at: visit.time) {
                var model = visit.run.model
                let changes = model.make(move, by: account, terms: terms(in: visit))
                guard changes.count > 1 else { continue }
                for index in changes.indices {
                    var missing = changes
                    missing.remove(at: index)
                    expectDetected(missing, visit)
                    guard index > 0 else { continue }
                    var swapped = changes
                    swapped.swapAt(index, index - 1)
                    expectDetected(swapped, visit)
                    count += 1
                }
            }
        }
        #expect(count > 10)
    }

    private func expectDetected(_ changes: [CourseEvent.Change], _ visit: Visit) {
        var run = visit.run
        do {
            try run.apply(changes, at: visit.time)
            #expect(run.course.isIncomplete, "\(changes) is complete")
        } catch {
            // The fault that says so.
        }
    }

    /// Each student of a cancelled round has the price back, or can have it now.
    private func expectRefunds(of visit: Visit) throws {
        for (number, round) in visit.run.course.rounds.enumerated()
        where round.status == .cancelled {
            for (account, student) in round.students where !student.isRefunded {
                var end = visit
                let before = end.run.money.credits[account] ?? 0
                try make(.refund, UInt64(number), by: account, in: &end)
                let gain = (end.run.money.credits[account] ?? 0) - before
                #expect(gain == round.terms.price.units)
            }
        }
    }

    /// The teacher alone begins and settles, and gets nine tenths at least.
    private func expectPaidTeacher(of visit: Visit) throws {
        var end = visit
        let (number, terms) = (visit.run.course.lastRound, visit.round.terms)
        if end.round.status == .open {
            end.time = max(end.time, terms.start)
            try make(.begin, number, by: CourseModel.teacher, in: &end)
        }
        end.time = max(end.time, terms.rateUntil)
        let before = end.run.money.credits[CourseModel.teacher] ?? 0
        try make(.settle, number, by: CourseModel.teacher, in: &end)
        let gain = (end.run.money.credits[CourseModel.teacher] ?? 0) - before
        let total = terms.price.units * BigUInt(visit.round.enrolled)
        #expect(gain >= total - total / 10)
        // In these courses every rating is the best, so three raters earn 15 % of the pool.
        let incentive = visit.round.raters >= 3 ? (total / 10 * 15 + 50) / 100 : 0
        #expect(gain == total - total / 10 + incentive)
        expectAgreement(end)
    }

    private func expectAgreement(_ visit: Visit) {
        let (model, course) = (visit.run.model, visit.run.course)
        #expect(course.rounds.map(\.status) == model.rounds.map(\.status))
        #expect(course.rounds.map { Set($0.students.keys) } == model.rounds.map(\.students))
        #expect(course.rating.points.reduce(0, +) == model.points)
        #expect(course.rating.raters == model.raters && !course.isIncomplete)
        let isOver = course.rounds.allSatisfy { round in
            switch round.status {
            case .settled: true
            case .cancelled: round.students.values.allSatisfy(\.isRefunded)
            case .open, .begun: false
            }
        }
        if isOver { #expect(visit.run.money.paid == visit.run.money.credited) }
    }

    private func people(_ size: Size) -> [Address] {
        [CourseModel.teacher] + (0..<size.students).map { Samples.key("student \($0)").address }
    }

    private func attempts(in visit: Visit) -> [CourseMove] {
        let last = visit.run.course.lastRound
        return CourseMove.Action.allCases.flatMap { action in
            (0...last + 1).map { CourseMove(action, round: $0) }
        }
    }

    private func make(
        _ action: CourseMove.Action,
        _ round: UInt64,
        by account: Address,
        in visit: inout Visit
    ) throws {
        let terms = terms(in: visit)
        try visit.run.make(action, round, by: account, terms: terms, at: visit.time)
    }

    /// Returns the terms of a round that is opened now.
    private func terms(in visit: Visit) -> CourseTerms {
        var terms = visit.round.terms
        terms.start = visit.time.advanced(by: .days(10))
        terms.end = visit.time.advanced(by: .days(20))
        return terms
    }

    private func everyVisit(_ size: Size) throws -> [Visit] {
        var terms = CourseRun.terms
        terms.seats = UInt64(size.students)
        var seen: Set<Key> = []
        var queue = [Visit(run: try CourseRun(terms))]
        var visits: [Visit] = []
        while let visit = queue.popLast() {
            guard seen.insert(Key(visit)).inserted else { continue }
            visits.append(visit)
            queue += try followers(of: visit, size)
        }
        return visits
    }

    private func followers(of visit: Visit, _ size: Size) throws -> [Visit] {
        var followers = marks(of: visit).filter { $0 > visit.time }.map {
            Visit(run: visit.run, time: $0)
        }
        for account in people(size) {
            for move in attempts(in: visit)
            where visit.run.model.accepts(move, by: account, at: visit.time) {
                if move.action == .repeat, visit.run.course.rounds.count >= size.rounds { continue }
                var next = visit
                try make(move.action, move.round, by: account, in: &next)
                followers.append(next)
            }
        }
        return followers
    }

    /// The last second before, and the first after, each deadline of the last round.
    private func marks(of visit: Visit) -> [ChainTime] {
        let terms = visit.round.terms
        let ends =
            switch visit.round.status {
            case .open: [terms.leaveUntil, terms.start, terms.beginUntil]
            case .begun: [terms.rateUntil]
            case .cancelled, .settled: [] as [ChainTime]
            }
        return ends.flatMap { [ChainTime(seconds: $0.seconds - 1), $0] }
    }

    /// What distinguishes two visits: state and phase of the time, not the times themselves.
    private struct Key: Hashable {
        struct Round: Hashable {
            let status: CourseStatus
            let students: Set<Address>
            let rated: Set<Address>
            let refunded: Set<Address>
        }

        let rounds: [Round]
        let marksPassed: [Bool]

        init(_ visit: Visit) {
            rounds = visit.run.model.rounds.map {
                Round(
                    status: $0.status,
                    students: $0.students,
                    rated: Set($0.rated.keys),
                    refunded: $0.refunded
                )
            }
            let terms = visit.round.terms
            marksPassed = [
                terms.leaveUntil, terms.start, terms.beginUntil, terms.rateUntil,
            ].flatMap {
                [ChainTime(seconds: $0.seconds - 1), $0]
            }.map { $0 <= visit.time }
        }
    }
}

private func max(_ left: ChainTime, _ right: ChainTime) -> ChainTime { left < right ? right : left }
