import Mail
import Market
import Testing

struct PrekeyScheduleTests {
    /// Runs the schedule for a year, a pass each 6 hours, and checks its laws at each pass.
    @Test func `always has a current prekey and its private key for a year`() throws {
        let schedule = PrekeySchedule(ChatSamples.settings)
        var held: [PrekeySchedule.Key] = []
        var made: [Bool: [Timestamp]] = [:]
        for hour in stride(from: 0, to: 365 * 24, by: 6) {
            let now = ChatSamples.time(UInt64(hour) * 3_600)
            let expired = schedule.expired(of: held, at: now)
            #expect(expired.allSatisfy { $0.validUntil.advanced(by: .days(30)) <= now })
            held.removeAll { expired.contains($0) }
            #expect(held.allSatisfy { $0.validUntil.advanced(by: .days(30)) > now })
            for isLastResort in schedule.due(after: held, at: now) {
                made[isLastResort, default: []].append(now)
                held.append(
                    PrekeySchedule.Key(
                        id: UInt32(hour * 2 + (isLastResort ? 1 : 0)),
                        madeAt: now,
                        validUntil: schedule.end(isLastResort: isLastResort, at: now),
                        isLastResort: isLastResort
                    )
                )
            }
            #expect(schedule.due(after: held, at: now) == [])
            let bundled = schedule.bundled(of: held.reversed())
            #expect(bundled.map(\.isLastResort) == [false, true])
            #expect(bundled.allSatisfy { $0.validUntil > now })
            #expect(bundled.map(\.madeAt) == [false, true].map { made[$0]?.last })
        }
        for (isLastResort, days) in [(false, 7), (true, 30)] as [(Bool, Int64)] {
            let times = try #require(made[isLastResort])
            #expect(times.count > 10)
            #expect(
                zip(times, times.dropFirst()).allSatisfy { $0.advanced(by: .days(days)) == $1 }
            )
        }
    }
}
