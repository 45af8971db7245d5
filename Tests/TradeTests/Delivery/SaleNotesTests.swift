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
    private static let work = Work(
        identifier: String(repeating: "ab", count: 32),
        name: "song",
        length: 4,
        isHere: true
    )

    /// An account on a node of its own, and what its chain shows.
    private struct Party {
        let node: WorkNode
        let account: Address
        private let folders: [TemporaryFolder]

        init(_ name: String, on node: String, of harness: ChatHarness) async throws {
            folders = [try TemporaryFolder(), try TemporaryFolder()]
            let chat = try await harness.start(node, in: folders[0])
            account = try await chat.createAccount(name)
            self.node = try await WorkNode(chat, in: folders[1])
        }

        var mail: SaleMail {
            SaleMail(chat: node.chat.chat, saleIndexes: SaleIndexes([node.index]))
        }

        /// The notes that the account sees, by the steps of the sale.
        func notes(in sale: WorkSale) async throws -> [Int: String] {
            let view = try #require(node.index.view(of: sale.sample.reference))
            let shown = Client.Sale(view, listing: nil, for: account, in: node.index)
            let notes = await mail.opened(shown, for: account).history.map(\.note)
            return Dictionary(
                uniqueKeysWithValues: notes.enumerated().compactMap { place, note in
                    note.map { (place, $0) }
                }
            )
        }

        /// Does what an operation does whose transaction is final, that of a step.
        func disclose(
            _ text: String,
            with step: UInt64,
            in sale: WorkSale,
            to readers: [Address]
        ) async throws -> PublishingAnswer {
            let disclosure = OperationPlan.Disclosure(
                sale: sale.sample.reference.id,
                .note(readers: readers),
                sealed: try await mail.planned(text, by: account).sealed
            )
            let operation = FinalOperation(
                account: account,
                chain: SampleSale.contract.chain,
                begunAt: .distantPast,
                height: 1 + step,
                transaction: WorkSale.transaction(step)
            )
            return try await mail.disclose(disclosure, of: operation)
        }

        /// How many notes the account has received, and how many of them from strangers.
        func received() async throws -> (all: Int, requests: Int) {
            var counts = (0, 0)
            for talk in try await node.chat.conversations(of: account) {
                let all = try await node.chat.chat.messages(in: talk.id, of: account, limit: 100)
                let notes = all.count { $0.kind == "note" && $0.state == "received" }
                counts.0 += notes
                if talk.isRequest { counts.1 += notes }
            }
            return counts
        }
    }

    /// Ana's sale to Bo, in a dispute that Carla can take, and a stranger's account beside them.
    private struct Dispute {
        let harness: ChatHarness
        let (ana, bo, carla, stranger): (Party, Party, Party, Party)
        var sale: WorkSale

        /// Shows the sale to the parties' nodes, and to the mail of all nodes.
        func show(
            without known: Int = 0,
            to parties: [Party],
            andMail: Bool = true
        ) async throws {
            for party in parties { try await sale.show(to: party.node, without: known) }
            guard andMail else { return }
            let reference = sale.sample.reference
            let shown = parties.first?.node.index.sale(reference)
            harness.chain.sales.withLock { $0[reference] = shown }
        }
    }

    private static func run(_ body: (inout Dispute) async throws -> Void) async throws {
        try await ChatHarness.run { harness in
            let ana = try await Party("ana", on: "one", of: harness)
            let bo = try await Party("bo", on: "two", of: harness)
            let carla = try await Party("carla", on: "three", of: harness)
            let stranger = try await Party("dora", on: "four", of: harness)
            for party in [ana, bo, carla, stranger] { harness.joinSale(party.account) }
            await harness.runAll()
            var sale = try WorkSale(
                of: work,
                by: try await ana.node.chat.chat.unlockedAccount(ana.account).key,
                to: bo.account,
                arbiter: carla.account
            )
            sale.dispute(by: bo.account)
            var dispute = Dispute(
                harness: harness,
                ana: ana,
                bo: bo,
                carla: carla,
                stranger: stranger,
                sale: sale
            )
            try await body(&dispute)
        }
    }

    @Test func `a note waits for its move, and is sent and shown once`() async throws {
        try await Self.run { dispute in
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
        try await Self.run { dispute in
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
        try await Self.run { dispute in
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
