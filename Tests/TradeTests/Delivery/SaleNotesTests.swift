import Client
import Ethereum
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Support
import Synchronization
import Testing

@testable import Trade

/// Notes of moves on their way from node to node.
///
/// Trade is imported as testable: no API makes a node of these parts.
@Suite(.timeLimit(.minutes(5)))
struct SaleNotesTests {
    @Test func `a note waits for its move, and is sent and shown once`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, sale) = (dispute.ana, dispute.bo, dispute.sale)
            try await dispute.show(to: [bo], andMail: false)
            let early = try await ana.disclose("DHL 0034", with: 2, in: sale, to: [bo.account])
            #expect(early == .later([Sentence("progress.operationNotSeen")]))
            for _ in 0..<2 {
                let sent = try await bo.disclose("Broken", with: 3, in: sale, to: [ana.account])
                #expect(sent == .done(nil))
            }
            await dispute.harness.runAll()
            // Before Ana's chain shows the sale, Bo is a stranger like others.
            #expect(try await ana.received() == (1, 1))
            try await dispute.show(to: [ana, dispute.carla, dispute.stranger])
            #expect(try await ana.notes(in: sale) == [3: "Broken"])
            #expect(try await bo.notes(in: sale) == [3: "Broken"])
            #expect(try await dispute.carla.notes(in: sale).isEmpty)
            #expect(try await dispute.stranger.notes(in: sale).isEmpty)

            await ana.node.chat.signOut()
            #expect(try await ana.notes(in: sale).isEmpty)
        }
    }

    /// - From peers: a note of a move by an account that did not make the move → a message, not shown
    ///   with the sale; of no party, a stranger's message
    /// - From peers: another note of the same move → a message, not shown with the sale
    @Test func `the first note of the account that made the move is shown`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, dora) = (dispute.ana, dispute.bo, dispute.stranger)
            let sale = dispute.sale
            try await dispute.show(to: [ana, bo, dora])
            let forged = try await dora.disclose("Mine", with: 3, in: sale, to: [ana.account])
            #expect(forged == .done(nil))
            await dispute.harness.runAll()
            #expect(try await ana.received() == (1, 1))
            #expect(try await ana.notes(in: sale).isEmpty)

            _ = try await bo.disclose("Broken", with: 3, in: sale, to: [ana.account])
            await dispute.harness.runAll()
            let other = try MailNote(
                for: sale.sample.reference,
                transaction: WorkSale.transaction(3),
                text: "Never said"
            )
            try await bo.node.chat.chat.note(
                .note(other),
                on: .zero,
                to: ana.account,
                about: nil,
                by: try await bo.node.chat.chat.unlockedAccount(bo.account),
                unlessSentSince: .distantPast
            )
            await dispute.harness.runAll()
            #expect(try await ana.received() == (3, 1))
            #expect(try await ana.notes(in: sale) == [3: "Broken"])
        }
    }

    @Test func `an arbiter who takes the case gets the notes, and answers both`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, carla) = (dispute.ana, dispute.bo, dispute.carla)
            var sale = dispute.sale
            try await dispute.show(to: [ana, bo, carla])
            _ = try await ana.disclose("DHL 0034", with: 2, in: sale, to: [bo.account])
            _ = try await bo.disclose("Broken", with: 3, in: sale, to: [ana.account])
            for party in [ana, bo] { await party.node.delivery.forwardNotes(of: party.account) }
            await dispute.harness.runAll()
            #expect(try await carla.received().all == 0)

            sale.take(by: carla.account)
            dispute.sale = sale
            try await dispute.show(without: 4, to: [ana, bo, carla])
            for _ in 0..<2 {
                for party in [ana, bo] { await party.node.delivery.forwardNotes(of: party.account) }
                await dispute.harness.runAll()
            }
            #expect(try await carla.received() == (2, 0))
            #expect(try await carla.notes(in: sale) == [2: "DHL 0034", 3: "Broken"])

            let readers = [ana.account, bo.account]
            _ = try await carla.disclose("Send pictures", with: 4, in: sale, to: readers)
            await dispute.harness.runAll()
            for party in [ana, bo, carla] {
                let notes = try await party.notes(in: sale)
                #expect(notes == [2: "DHL 0034", 3: "Broken", 4: "Send pictures"])
            }
        }
    }
}
