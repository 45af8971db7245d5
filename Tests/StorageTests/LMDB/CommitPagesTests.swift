import Keys
import Market
import Storage
import Support
import Testing

struct CommitPagesTests {
    /// How many pages of the file a write makes, but for the one that names the newest commit.
    ///
    /// A snapshot of what was before keeps every page from being used again, so that the file
    /// grows by each page that is written.
    private func pages(
        in environment: Environment,
        _ write: (inout WriteTransaction) throws -> Void
    ) throws -> Int {
        try environment.read { _ in
            let before = environment.usedBytes
            try environment.write(write)
            return (environment.usedBytes - before) / 4_096
        }
    }

    @Test func `a version of a listing writes few pages, as its indexes share a tree`() throws {
        let folder = try TemporaryFolder()
        let environment = try Environment(folder: folder.path, mapBytes: 1 << 28, schema: .current)
        let subject = Bytes32(repeating: 7)
        var counts: [Int] = []
        for number in 0..<400 as Range<UInt64> {
            let time = Timestamp.sample(number)
            let record = try SampleRecords.record(slot: UInt8(number % 4), at: time)
            let entry = RecordEntry(record, lane: .anchored, subject: subject)
            counts.append(
                try pages(in: environment) { transaction in
                    let outcomes = try transaction.put([entry], at: time)
                    if case .stored = outcomes.first { return }
                    Issue.record("\(outcomes)")
                }
            )
        }

        let later = counts.dropFirst(100).sorted()
        #expect(later[later.count / 2] <= 9)
        #expect(later.last ?? 0 <= 14)
    }

    @Test func `an account's event writes few pages, as its tables share a tree`() throws {
        let folder = try TemporaryFolder()
        let environment = try Environment(folder: folder.path, mapBytes: 1 << 28, schema: .current)
        let account = SampleRecords.key(1).address
        var counts: [Int] = []
        for number in 0..<400 as Range<UInt64> {
            let id = Keccak256.hash("\(number)".utf8)
            let event = AccountEvent(
                time: .sample(number),
                bytes: [UInt8](repeating: 1, count: 200)
            )
            counts.append(
                try pages(in: environment) { transaction in
                    try transaction.put(
                        Operations.self,
                        CompositeKey(account, id),
                        [UInt8](repeating: 2, count: 700)
                    )
                    try transaction.putAnswer(
                        id.bytes,
                        request: id,
                        key: id,
                        of: account,
                        at: .sample(number)
                    )
                    _ = try transaction.appendEvent(event, for: account)
                }
            )
        }

        let later = counts.dropFirst(100).sorted()
        #expect(later[later.count / 2] <= 9)
        #expect(later.last ?? 0 <= 14)
    }
}
