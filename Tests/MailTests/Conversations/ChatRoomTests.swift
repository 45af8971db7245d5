import Answers
import Client
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Synchronization
import Testing

/// What becomes of mail when the room for conversations is used up.
@Suite(.timeLimit(.minutes(5)))
struct ChatRoomTests {
    private func refusal(_ body: () async throws -> Void) async -> Refusal? {
        do {
            try await body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    private static var limits: StoreLimits {
        var limits = StoreLimits()
        limits.conversationBytesMax = 200_000
        return limits
    }

    /// - From people: a text, report or offer for which the account's conversations have no room →
    ///   not_allowed
    @Test func `an account writes only what its conversations have room for`() async throws {
        try await ChatHarness.pair(limits: Self.limits) { harness, one, two, ana, bo in
            try await two.write("hello", to: ana, by: bo)
            await harness.runAll()
            let text = String(repeating: "x", count: 8_000)
            var sent = 0
            let refusal = await refusal {
                while sent < 100 {
                    try await one.write(text, to: bo, by: ana)
                    sent += 1
                    await harness.runAll(times: 1)
                }
            }
            #expect(refusal?.code == .notAllowed && (5..<25).contains(sent), "\(sent)")
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            try await one.write(text, to: bo, by: ana)
        }
    }

    @Test func `mail waits while its reader's conversations have no room`() async throws {
        try await ChatHarness.pair(limits: Self.limits) { harness, one, two, ana, bo in
            try await one.write("hello", to: bo, by: ana)
            await harness.runAll()
            let text = String(repeating: "x", count: 8_000)
            for _ in 0..<40 {
                try await two.write(text, to: ana, by: bo)
                await harness.runAll(times: 1)
            }
            let kept = try await one.messages(of: ana).count
            #expect((5..<30).contains(kept), "\(kept)")
            let bytes = try one.store.read { try $0.conversationBytes(of: ana) }
            #expect(bytes <= 220_000, "\(bytes)")
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            await harness.runAll(times: 3, every: 700)
            #expect(try await one.messages(of: ana).count > 0)
        }
    }

    /// Ana's sale to Bo, whose dispute is the move of a transaction.
    private struct Dispute {
        let transaction = Bytes32(repeating: 9)
        let (ana, bo): (UnlockedAccount, UnlockedAccount)
        let reference: SaleReference
        private let state: EscrowSale

        init(of ana: UnlockedAccount, to bo: UnlockedAccount) throws {
            var sample = try SampleSale(by: ana.key, slot: Bytes32(repeating: 1))
            try sample.buy(by: bo.key)
            (self.ana, self.bo) = (ana, bo)
            (reference, state) = (sample.reference, sample.state)
        }

        /// Has the nodes' chain show the sale, with Bo's moves in these transactions.
        func show(_ moves: [Bytes32], on chain: ChatChain) {
            let history = moves.map { transaction in
                SaleStep(
                    move: ReportedMove("dispute", by: bo.account),
                    time: state.since,
                    transaction: transaction
                )
            }
            chain.sales.withLock { $0[reference] = Market.Sale(state, history: history) }
        }

        func note(_ transaction: Bytes32, _ text: String) throws -> MailMessage.Body {
            .note(try MailNote(for: reference, transaction: transaction, text: text))
        }

        /// Returns the note of a transaction that Ana's node shows.
        func shown(_ transaction: Bytes32, on node: ChatNode) throws -> String? {
            let subject = StoredTradeNote.subject(
                ofNote: transaction,
                in: reference,
                from: bo.account,
                to: ana.account
            )
            return try node.store.read { try $0.tradeNote(on: subject, of: ana) }?.text
        }
    }

    /// Fills the room of Ana, on the first node, with notes of Bo that name no move of their sale.
    private static func run(
        _ body: (ChatHarness, ChatNode, Dispute, (MailMessage.Body) async throws -> Void)
            async throws -> Void
    ) async throws {
        try await ChatHarness.pair(limits: limits) { harness, one, two, ana, bo in
            let dispute = try Dispute(
                of: try await one.chat.unlockedAccount(ana),
                to: try await two.chat.unlockedAccount(bo)
            )
            dispute.show([dispute.transaction], on: harness.chain)
            try await one.write("hello", to: bo, by: ana)
            await harness.runAll()
            func send(_ body: MailMessage.Body) async throws {
                try await two.chat.note(
                    body,
                    on: .zero,
                    to: ana,
                    about: nil,
                    by: dispute.bo,
                    unlessSentSince: .distantPast
                )
            }
            // At last there is no room for a short one either.
            for (count, byteCount) in [(80, MailNote.textByteCountMax), (20, 1)] {
                let text = String(repeating: "x", count: byteCount)
                for number in 0..<UInt64(count) {
                    let invented = Bytes32(words: 1, UInt64(byteCount), 0, number)
                    try await send(dispute.note(invented, text))
                }
                await harness.runAll(times: 6)
            }
            try await body(harness, one, dispute, send)
        }
    }

    private static func bytes(of dispute: Dispute, on node: ChatNode) throws -> UInt64 {
        try node.store.read { try $0.conversationBytes(of: dispute.ana.account) }
    }

    /// - From peers: a note of no move while the reader's conversations have no room → it waits, as a
    ///   text does
    /// - From peers: the first note of a move, address or key of a sale while there is no room → filed
    @Test func `invented notes wait for room, and the first of a move does not`() async throws {
        try await Self.run { harness, one, dispute, send in
            let full = try Self.bytes(of: dispute, on: one)
            #expect((150_000...200_000).contains(full), "\(full)")

            let address = try MailAddress(for: dispute.reference, text: "Main Street 1")
            for body in [try dispute.note(dispute.transaction, "Broken"), .address(address)] {
                try await send(body)
            }
            await harness.runAll()
            #expect(try dispute.shown(dispute.transaction, on: one) == "Broken")
            let subject = StoredTradeNote.subject(of: dispute.reference, from: dispute.bo.account)
            let stored = try one.store.read { try $0.tradeNote(on: subject, of: dispute.ana) }
            #expect(stored?.text == "Main Street 1")
            let after = try Self.bytes(of: dispute, on: one)
            #expect(after > full && after < full + 10_000)

            // Others of the same move or sale wait like texts.
            let other = try MailAddress(for: dispute.reference, text: "Main Street 2")
            for body in [try dispute.note(dispute.transaction, "Again"), .address(other)] {
                try await send(body)
            }
            await harness.runAll()
            #expect(try Self.bytes(of: dispute, on: one) == after)
        }
    }

    @Test func `a note that waits is filed once the chain shows its move`() async throws {
        try await Self.run { harness, one, dispute, send in
            let next = Bytes32(repeating: 8)
            try await send(dispute.note(next, "Send pictures"))
            await harness.runAll()
            #expect(try dispute.shown(next, on: one) == nil)
            dispute.show([dispute.transaction, next], on: harness.chain)
            await harness.runAll(times: 3, every: 700)
            #expect(try dispute.shown(next, on: one) == "Send pictures")
        }
    }
}
