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

struct StoredOperationTests {
    private static let id = Bytes32(repeating: 1)
    private static let account = testKey(1).address
    private static let key = CompositeKey(account, id)
    private static let beganAt = Date(timeIntervalSince1970: 1_000_000.5)

    private static func entry(
        _ change: (inout Client.Operation) -> Void = { _ in }
    ) -> OperationLog.Entry {
        var operation = Client.Operation(
            id: id.hex,
            kind: .buy,
            state: .running,
            account: account.checksummed,
            subject: nil,
            phases: [],
            problem: nil,
            createdAt: beganAt
        )
        change(&operation)
        let step = Intent.Step(to: testKey(2).address, value: Amount(small: 3), data: [4])
        let plan = OperationPlan(purpose: "buy", steps: [step])
        return OperationLog.Entry(account: account, operation: operation, plan: plan)
    }

    /// An operation that has everything that one can have.
    private static let full = entry { operation in
        operation.state = .failed
        (operation.chain, operation.subject, operation.feeMax) = (137, "0x02", "7")
        let notes = [Sentence("progress.place", ["place": "1", "count": "2"])]
        operation.phases = [
            .init(name: .estimate, state: .done, detail: "gas", endedAt: beganAt + 1),
            .init(name: .signed, state: .failed, notes: notes),
        ]
        operation.problem = Refusal(.feeAboveLimit, notes[0], field: "fee").problem
        operation.endedAt = beganAt + 2
    }

    @Test func `reads back an operation and its plan`() throws {
        for entry in [Self.entry(), Self.full] {
            let read = try OperationLog.Entry(of: Self.key, storedBytes: entry.storedBytes)
            #expect(read.operation == entry.operation && read.plan == entry.plan)
        }
    }

    @Test func `keeps a time to the millisecond however often it is written`() throws {
        for number in 0..<1_000 {
            let entry = Self.entry { $0.createdAt = Self.beganAt + Double(number) / 1_000 }
            let read = try OperationLog.Entry(of: Self.key, storedBytes: entry.storedBytes)
            #expect(read.storedBytes == entry.storedBytes)
        }
    }

    @Test func `keeps a problem for programs, and one of a later version`() throws {
        let forPrograms = Self.entry { operation in
            operation.problem = Refusal(.malformedJSON, forPrograms: "no text").problem
        }
        let read = try OperationLog.Entry(of: Self.key, storedBytes: forPrograms.storedBytes)
        #expect(read.operation.problem == forPrograms.operation.problem)

        let later = Self.entry { operation in
            var problem = Refusal(.notFound, forPrograms: "gone").problem
            problem.code = "later_code"
            operation.problem = problem
        }
        let problem = try OperationLog.Entry(of: Self.key, storedBytes: later.storedBytes)
            .operation.problem
        #expect(problem?.code == "internal_error" && problem?.detail == "gone")
    }

    @Test func `refuses a truncated operation`() {
        let bytes = Self.full.storedBytes
        for count in bytes.indices {
            #expect(throws: StoredValueError.self) {
                try OperationLog.Entry(of: Self.key, storedBytes: Array(bytes.prefix(count)))
            }
        }
    }
}
