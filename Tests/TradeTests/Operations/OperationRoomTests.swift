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

/// Operations and the room of the store.
@Suite(.timeLimit(.minutes(1)))
struct OperationRoomTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let log: OperationLog
    private let runner: OperationRunner
    private let account = testKey(1).address

    private init(reservedBytes: Int, clock: TurnedClock = TurnedClock()) throws {
        folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.reservedBytes = reservedBytes
        store = try Store(folder: folder.path, mapBytes: 1 << 26, limits: limits)
        log = OperationLog(store: store, events: AccountEventLog(store: store), clock: clock)
        let inbox = OperationInbox()
        runner = OperationRunner(
            log: log,
            senders: ScriptedSender(inbox: inbox),
            publishing: ScriptedPublishing(),
            saleIndexes: SaleIndexes([]),
            inbox: inbox,
            signingDeadline: SigningDeadline(clock: clock),
            logger: quiet
        )
    }

    init() throws { try self.init(reservedBytes: 1 << 26) }

    private func begin(
        _ kind: Client.Operation.Kind,
        _ number: UInt8,
        about subject: String = "one"
    ) async throws -> Client.Operation {
        let step = Intent.Step(to: account, value: .zero, data: [number])
        return try await runner.begin(
            OperationRequest(kind, [subject, "\(number)"], by: account, key: "\(number)"),
            subject: subject,
            plan: OperationPlan(purpose: "test", steps: [step]),
            fees: nil
        )
    }

    /// - From people: a transfer, a listing or a purchase while the store has little room; the
    ///   ninth move in one sale then → store_full
    @Test func `begins only some moves in each sale while there is little room`() async throws {
        for kind in [Client.Operation.Kind.send, .list, .edit, .buy, .bid, .arbitrate] {
            await #expect(throws: StorageError.mapFull(.begin)) { try await begin(kind, 100) }
        }
        for number in 1...8 as ClosedRange<UInt8> { _ = try await begin(.move, number) }
        await #expect(throws: StorageError.mapFull(.begin)) { try await begin(.move, 9) }
        // The same call again, another sale and another kind need none of that.
        _ = try await begin(.move, 8)
        _ = try await begin(.move, 10, about: "two")
        _ = try await begin(.collect, 11)
        _ = try await begin(.withdraw, 12)
    }

    @Test func `reads in full only the operations of a page`() async throws {
        let clock = TurnedClock()
        let test = try Self(reservedBytes: 0, clock: clock)
        let old = try await test.begin(.send, 1)
        clock.advance(by: 1)
        let new = try await test.begin(.send, 2)
        // The plan of the older one is damaged.
        let id = try #require(Bytes32(hex: old.id))
        try await test.store.write { [account] transaction in
            let place = CompositeKey(account, id)
            let bytes = try transaction.get(Storage.Operations.self, place) ?? []
            try transaction.put(Storage.Operations.self, place, Array(bytes.dropLast()))
        }
        let page = try test.log.operations(of: account, limit: 1)
        #expect(page.items.map(\.id) == [new.id] && page.next != nil)
        #expect(throws: (any Error).self) {
            try test.log.operations(of: account, after: page.next, limit: 1)
        }
    }
}
