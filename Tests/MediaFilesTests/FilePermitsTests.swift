import Answers
import Client
import Keys
import Support
import Testing

@testable import MediaFiles

/// Who gets the permits for files that are on their way.
struct FilePermitsTests {
    /// - From people: more than two transfers of works of an account at a time, to the node or to a
    ///   buyer; eight in all → too_many_tries, with `Retry-After`
    @Test func `an account has two permits and leaves others theirs`() throws {
        let permits = FilePermits(permitsMax: 5, accountPermitsMax: 2)
        func isRefused(_ number: UInt8) -> Bool {
            do {
                _ = try permits.take(for: testKey(number).address)
                return false
            } catch {
                return error.code == .tooManyTries && error.retryAfter != nil
            }
        }
        func take(_ number: UInt8) throws -> FilePermits.Permit {
            try permits.take(for: testKey(number).address)
        }
        var held = [try take(1), try take(1)]
        #expect(isRefused(1) && !isRefused(2))
        held += [try take(2), try take(2), try take(3)]
        // All are taken.
        #expect(isRefused(3) && isRefused(4))
        held.removeFirst()
        #expect(!isRefused(1) && !isRefused(4))
        held.removeAll()
        for number in 1...4 as ClosedRange<UInt8> { #expect(!isRefused(number)) }
    }
}
