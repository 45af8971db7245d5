import Answers
import Client
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade

/// Replacing and cancelling what waits to be signed or mined.
extension OperationRunnerTests {
    /// - From people: replacing a transaction that does not wait to be mined → move_not_open
    @Test func `replaces only a transaction that waits to be mined`() async throws {
        let runner = runner()
        let (replacer, begun) = (OperationReplacer(runner: runner), try await begin(runner))
        try await sender.set(.sent)
        let early = await #expect(throws: Refusal.self) {
            try await replacer.replace(begun.id, with: .speedUp, by: account)
        }
        #expect(early?.code == .moveNotOpen)

        try await sender.set(.overdue)
        let replaced = try await replacer.replace(begun.id, with: .cancel, by: account)
        #expect(replaced.id == begun.id)
        #expect(sender.replaced == [OperationPlan.intentID(operation: begun.id)])
        #expect(sender.raised == [Amount(small: 100)])

        let foreign = await #expect(throws: Refusal.self) {
            try await replacer.replace(begun.id, with: .cancel, by: testKey(2).address)
        }
        #expect(foreign?.code == .unknownOperation)
    }

    /// - From people: speeding up or cancelling at a fee below the pools' minimum → fee_above_limit
    @Test func `a replacement costs the agreed fee and is refused below it`() async throws {
        let runner = runner()
        let (replacer, begun) = (OperationReplacer(runner: runner), try await begin(runner))
        try await sender.set(.overdue)
        let preview = try await replacer.preview(replacing: begun.id, with: .speedUp, by: account)
        #expect(preview.feeMax == "100" && preview.problems.isEmpty)
        let low = await #expect(throws: Refusal.self) {
            try await replacer.replace(begun.id, with: .speedUp, feeMax: "49", by: account)
        }
        #expect(low?.code == .feeAboveLimit && sender.replaced.isEmpty)

        let agreed = try await replacer.replace(begun.id, with: .speedUp, feeMax: "60", by: account)
        #expect(sender.raised == [Amount(small: 60)] && agreed.feeMax == "60")
    }

    /// - From people: a cancellation that was shown as free, of a transaction that was signed in
    ///   the meantime → fee_above_limit, move_not_open
    @Test func `signs nothing for a cancellation that was supposed to be free`() async throws {
        let runner = runner()
        let (replacer, begun) = (OperationReplacer(runner: runner), try await begin(runner))
        let intent = OperationPlan.intentID(operation: begun.id)
        sender.set(isFree: true)
        let preview = try await replacer.preview(replacing: begun.id, with: .cancel, by: account)
        #expect(preview.feeMax == nil && preview.leaves.isEmpty && preview.problems.isEmpty)
        // Signed just after that was looked up.
        try await sender.set(.overdue)
        _ = try await replacer.replace(begun.id, with: .cancel, feeMax: "0", by: account)
        #expect(sender.replaced.isEmpty && sender.raised.isEmpty)
        #expect(sender.withdrawn == [intent])
        // Signed before.
        sender.set(isFree: false)
        let refused = await #expect(throws: Refusal.self) {
            try await replacer.replace(begun.id, with: .cancel, feeMax: "0", by: account)
        }
        #expect(refused?.code == .feeAboveLimit && sender.replaced.isEmpty)
    }

    @Test func `an operation's maximum fee includes all its transactions`() async throws {
        let runner = runner()
        let (replacer, begun) = (OperationReplacer(runner: runner), try await begin(runner))
        try await sender.set(.overdue)
        sender.set(others: Amount(small: 40))
        let dear = try await replacer.replace(begun.id, with: .speedUp, feeMax: "60", by: account)
        #expect(dear.feeMax == "100")
        // What a cheaper cancellation stands in for may be mined all the same.
        let cheap = try await replacer.replace(begun.id, with: .cancel, feeMax: "50", by: account)
        #expect(sender.raised.last == Amount(small: 50) && cheap.feeMax == "100")
    }
}
