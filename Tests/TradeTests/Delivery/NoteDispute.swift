import Client
import Ethereum
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Synchronization
import Testing

@testable import Trade

/// An account on a node of its own, and what its chain shows.
struct NoteParty {
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
        SaleMail(
            chat: node.chat.chat,
            media: node.media,
            saleIndexes: SaleIndexes([node.index])
        )
    }

    /// The steps of the sale, as the account sees them.
    func steps(of sale: WorkSale) async throws -> [Client.Sale.Step] {
        let view = try #require(node.index.view(of: sale.sample.reference))
        let shown = Client.Sale(view, listing: nil, for: account, in: node.index)
        return await mail.opened(shown, for: account).history
    }

    /// The notes that the account sees, by the steps of the sale.
    func notes(in sale: WorkSale) async throws -> [Int: String] {
        let notes = try await steps(of: sale).map(\.note)
        return Dictionary(
            uniqueKeysWithValues: notes.enumerated().compactMap { place, note in
                note.map { (place, $0) }
            }
        )
    }

    /// Plans a note.
    func planned(
        _ text: String,
        _ pictures: [String] = [],
        in sale: WorkSale,
        to readers: [Address]
    ) async throws -> OperationPlan.Disclosure {
        OperationPlan.Disclosure(
            sale: sale.sample.reference.id,
            .note(readers: readers),
            sealed: try await mail.plannedTexts.planned(text, pictures: pictures, by: account)
                .sealed
        )
    }

    /// Plans a note, and discloses it.
    func disclose(
        _ text: String,
        _ pictures: [String] = [],
        with step: UInt64,
        in sale: WorkSale,
        to readers: [Address]
    ) async throws -> PublishingAnswer {
        let planned = try await planned(text, pictures, in: sale, to: readers)
        return try await disclose(planned, with: step)
    }

    /// Does what an operation does whose transaction is final, that of a step.
    func disclose(
        _ disclosure: OperationPlan.Disclosure,
        with step: UInt64
    ) async throws -> PublishingAnswer {
        let operation = FinalOperation(
            account: account,
            chain: SampleSale.contract.chain,
            begunAt: .distantPast,
            height: 1 + step,
            transaction: WorkSale.transaction(step)
        )
        return try await mail.plannedTexts.disclose(disclosure, of: operation)
    }

    /// The numbers of pictures that the messages of the account's conversations say.
    func messagePictures() async throws -> [Int] {
        var counts: [Int] = []
        for talk in try await node.chat.conversations(of: account) {
            let all = try await node.chat.chat.messages(in: talk.id, of: account, limit: 100)
            counts += all.compactMap(\.pictures)
        }
        return counts
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
struct NoteDispute {
    let harness: ChatHarness
    let (ana, bo, carla, stranger): (NoteParty, NoteParty, NoteParty, NoteParty)
    var sale: WorkSale

    /// Shows the sale to the parties' nodes, and to the mail of all nodes.
    func show(
        without known: Int = 0,
        to parties: [NoteParty],
        andMail: Bool = true
    ) async throws {
        for party in parties { try await sale.show(to: party.node, without: known) }
        guard andMail else { return }
        let reference = sale.sample.reference
        let shown = parties.first?.node.index.sale(reference)
        harness.chain.sales.withLock { $0[reference] = shown }
    }

    private static let work = Work(
        identifier: String(repeating: "ab", count: 32),
        name: "song",
        length: 4,
        isHere: true
    )

    static func run(_ body: (inout NoteDispute) async throws -> Void) async throws {
        try await ChatHarness.run { harness in
            let ana = try await NoteParty("ana", on: "one", of: harness)
            let bo = try await NoteParty("bo", on: "two", of: harness)
            let carla = try await NoteParty("carla", on: "three", of: harness)
            let stranger = try await NoteParty("dora", on: "four", of: harness)
            for party in [ana, bo, carla, stranger] { harness.joinSale(party.account) }
            await harness.runAll()
            var sale = try WorkSale(
                of: work,
                by: try await ana.node.chat.chat.unlockedAccount(ana.account).key,
                to: bo.account,
                arbiter: carla.account
            )
            sale.dispute(by: bo.account)
            var dispute = NoteDispute(
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
}
