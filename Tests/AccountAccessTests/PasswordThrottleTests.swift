import AccountAccess
import Foundation
import Keys
import Support
import Testing

struct PasswordThrottleTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)
    private let ana = testKey(1).address
    private let bo = testKey(2).address

    @Test func `each wrong password after the fourth doubles the caller's wait`() {
        var book = PasswordThrottle()
        var now = start
        var waits: [TimeInterval?] = []
        for _ in 0..<16 {
            book.fail(.elsewhere("a"), on: ana, at: now)
            let wait = book.wait(for: .elsewhere("a"), at: now)
            waits.append(wait)
            now += wait ?? 0
        }
        #expect(
            waits == [nil, nil, nil, nil, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
        )
        for other: CallerGroup in [
            .elsewhere("b"), .thisMachine(nil), .thisMachine(ana), .operator,
        ] {
            #expect(book.wait(for: other, at: now) == nil)
        }
    }

    @Test func `the operator is never slowed down`() {
        var book = PasswordThrottle()
        for _ in 0..<100 { book.fail(.operator, on: ana, at: start) }
        #expect(book.wait(for: .operator, at: start) == nil && book.count == 0)
    }

    @Test func `opening an account clears wrong guesses for that account only`() {
        let caller = CallerGroup.thisMachine(nil)
        var book = PasswordThrottle()
        for _ in 0..<4 { book.fail(caller, on: ana, at: start) }
        book.succeed(caller, on: bo)
        book.fail(caller, on: ana, at: start)
        #expect(book.wait(for: caller, at: start) == 1)
        book.succeed(caller, on: ana)
        #expect(book.wait(for: caller, at: start) == nil)
        for account in [ana, bo, nil, ana, ana] { book.fail(caller, on: account, at: start) }
        book.succeed(caller, on: ana)
        #expect(book.wait(for: caller, at: start) == 1)
    }

    @Test func `forgets wrong guesses after an hour`() {
        var book = PasswordThrottle()
        for _ in 0..<4 { book.fail(.elsewhere("a"), on: ana, at: start) }
        book.fail(.elsewhere("a"), on: ana, at: start + PasswordThrottle.memory)
        #expect(book.wait(for: .elsewhere("a"), at: start + PasswordThrottle.memory) == nil)
    }

    @Test func `forgets the callers with the fewest wrong guesses in a flood`() {
        var book = PasswordThrottle()
        for _ in 0..<10 { book.fail(.elsewhere("worst"), on: ana, at: start) }
        for number in 0..<2 * PasswordThrottle.callersMax {
            book.fail(.elsewhere("\(number)"), on: ana, at: start + 1)
        }
        #expect(book.count == PasswordThrottle.callersMax)
        #expect(book.wait(for: .elsewhere("worst"), at: start + 1) != nil)
    }
}
