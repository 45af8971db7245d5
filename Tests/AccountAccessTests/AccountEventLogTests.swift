import AccountAccess
import Client
import Keys
import Market
import Storage
import Support
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AccountEventLogTests {
    @Test func `reads back an event with its data and words`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let account = testKey(1).address
        try await store.write { try $0.put(AccountEntries.self, account, [1]) }
        let clock = TurnedClock()
        let log = AccountEventLog(store: store, clock: clock)
        let words = [Sentence("refusal.triesAgain")]
        let data = ["phase": "paid", "detail": ""]
        try await log.record("sale", subject: "0x01", data: data, words: words, for: account)
        try await log.record("listing", subject: "0x02", for: nil)

        var events = log.events(of: account, after: 0).makeAsyncIterator()
        let first = try #require(try await events.next())
        #expect(first.id == 1 && first.type == "sale" && first.subject == "0x01")
        #expect(first.data == data && first.words == words && first.time == clock.now)
        let second = try #require(try await events.next())
        #expect(second.id == 2 && second.data.isEmpty && second.words == nil)
    }
}
