import Answers
import Client
import Keys
import Market
import Records
import Support
import Testing

/// How much an account can publish without a sale.
struct OwnRecordLimitsTests {
    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    /// - From people: more lists and profiles of an account than other nodes take now →
    ///   too_many_tries, with `Retry-After`
    @Test func `publishes only as much of an account as other nodes take`() async throws {
        let keeper = try RecordKeeper()
        let author = testKey(1)
        func publish(_ number: Int, by key: PrivateKey) async throws {
            let entries = try (1...100 as ClosedRange<UInt8>).map {
                try Curation.Entry(
                    account: testKey($0).address,
                    reason: String(repeating: "r", count: 100)
                )
            }
            let list = try Curation(
                name: "list \(number % 4)",
                about: "\(number)",
                entries: entries
            )
            _ = try await keeper.recordService.publish(.curation(list), by: key)
        }
        var published = 0
        let refusal = await refusal {
            while published < 40 {
                try await publish(published, by: author)
                published += 1
            }
        }
        #expect(refusal?.code == .tooManyTries && refusal?.retryAfter != nil)
        // 128 KiB at once.
        #expect((8..<12).contains(published), "\(published)")
        try await publish(0, by: testKey(2))
        keeper.clock.advance(.seconds(3_600))
        try await publish(99, by: author)
    }
}
