import AccountAccess
import Answers
import Client
import Ethereum
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Trade

/// Keys of works on their way to the buyers.
///
/// Node is imported as testable: no API makes a node of these parts.
@Suite(.timeLimit(.minutes(5)))
struct WorkDeliveryTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// Ana's account on two nodes and Bo's on a third, who has written to her.
    private struct Parties {
        let harness: ChatHarness
        let (one, two): (WorkNode, WorkNode)
        let three: ChatNode
        let (ana, bo): (Address, Address)
        let key: PrivateKey

        /// The names of the works whose keys Bo has got, in order.
        func got() async throws -> [String] {
            try await three.conversations(of: bo).count == 0
                ? []
                : try await messages().filter { $0.kind == "work" }.map(\.text)
        }

        func messages() async throws -> [Message] {
            var all: [Message] = []
            for talk in try await three.conversations(of: bo) {
                all += try await three.chat.messages(in: talk.id, of: bo, limit: 100)
            }
            return all
        }
    }

    private static func run(_ body: (Parties) async throws -> Void) async throws {
        let folders = try (0..<5).map { _ in try TemporaryFolder() }
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let three = try await harness.start("three", in: folders[2])
            let ana = try await one.createAccount("ana", phrase: phrase)
            _ = try await two.createAccount("ana", phrase: phrase)
            let bo = try await three.createAccount("bo")
            for account in [ana, bo] { harness.joinSale(account) }
            await harness.runAll()
            try await three.write("I take it", to: ana, by: bo)
            await harness.runAll()
            try await body(
                Parties(
                    harness: harness,
                    one: try await WorkNode(one, in: folders[3]),
                    two: try await WorkNode(two, in: folders[4]),
                    three: three,
                    ana: ana,
                    bo: bo,
                    key: try await one.chat.unlockedAccount(ana).key
                )
            )
        }
    }

    /// A work that is sold to Bo, as both nodes' chains show it.
    private static func sell(_ parties: Parties, named name: String = "song") async throws
        -> WorkSale
    {
        let work = try await parties.one.add(Array(name.utf8), named: name, by: parties.ana)
        await parties.harness.runAll()
        await parties.two.follower.runPass()
        let sale = try WorkSale(of: work, by: parties.key, to: parties.bo)
        for node in [parties.one, parties.two] { try await sale.show(to: node) }
        return sale
    }

    private static func row(_ node: WorkNode, _ sale: WorkSale, _ seller: Address) throws
        -> DeliveredWork?
    {
        let subject = StoredTradeNote.subject(ofWork: sale.sample.reference, from: seller)
        return try node.chat.store.read { try $0.delivery(on: subject, of: seller) }
    }

    @Test func `only one node sends a key, even if its conversation is deleted`() async throws {
        try await Self.run { parties in
            let sale = try await Self.sell(parties)
            await parties.one.delivery.deliver(for: parties.ana)
            await parties.one.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.one, sale, parties.ana)?.count == 1)
            await parties.harness.runAll()
            #expect(try await parties.got() == ["song"])

            // Its receipt is noted before the conversation goes.
            await parties.one.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.one, sale, parties.ana)?.isAcknowledged == true)
            for talk in try await parties.one.chat.conversations(of: parties.ana) {
                try await parties.one.chat.chat.delete(talk.id, of: parties.ana)
            }
            await parties.harness.runAll()
            for days in [0, 40] {
                parties.harness.clock.advance(by: Double(days) * 86_400)
                await parties.one.delivery.deliver(for: parties.ana)
                await parties.two.follower.runPass()
                parties.two.clock.advance(.seconds(200))
                for _ in 0..<2 { await parties.two.delivery.deliver(for: parties.ana) }
                await parties.harness.runAll()
                #expect(try await parties.got() == ["song"])
            }
            #expect(try Self.row(parties.two, sale, parties.ana)?.isAcknowledged == true)
            try await parties.one.chat.store.write { try $0.removeAccount(parties.ana) }
            #expect(try Self.row(parties.one, sale, parties.ana) == nil)
        }
    }

    @Test
    func `sends a key once even if its conversation was deleted before`() async throws {
        try await Self.run { parties in
            let sale = try await Self.sell(parties)
            await parties.one.delivery.deliver(for: parties.ana)
            for talk in try await parties.one.chat.conversations(of: parties.ana) {
                try await parties.one.chat.chat.delete(talk.id, of: parties.ana)
            }
            for _ in 0..<2 {
                await parties.one.delivery.deliver(for: parties.ana)
                await parties.harness.runAll()
                #expect(try Self.row(parties.one, sale, parties.ana)?.count == 1)
                #expect(try await parties.got() == ["song"])
            }
        }
    }

    @Test func `delivers what was left to the node, and sends nothing else`() async throws {
        try await Self.run { parties in
            let one = parties.one.chat
            let sale = try await Self.sell(parties)
            // Not sealed yet.
            try await one.write("Thank you", to: parties.bo, by: parties.ana)
            await one.signOut()
            await parties.one.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.one, sale, parties.ana) == nil)

            let request = UnattendedRequest(
                password: "a password",
                moves: ["deliver"],
                seconds: 60 * 86_400
            )
            _ = try await one.accounts.leaveAlone("ana", request, by: .operator)
            await parties.one.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.one, sale, parties.ana)?.count == 1)
            await parties.harness.runAll()
            #expect(try await parties.got() == ["song"])
            #expect(try await !parties.messages().map(\.text).contains("Thank you"))
            await #expect(throws: Refusal.self) {
                try await one.write("Hello", to: parties.bo, by: parties.ana)
            }
            let courier = try await one.chat.courier(of: parties.ana)
            #expect(throws: Refusal.self) { try courier.key }

            try await one.signIn("ana")
            await parties.harness.runAll(every: 60)
            #expect(try await parties.messages().map(\.text).contains("Thank you"))
        }
    }

    @Test func `delivers a work from another node once that node had its time`() async throws {
        try await Self.run { parties in
            let sale = try await Self.sell(parties)
            #expect(try await parties.two.works(of: parties.ana) == ["song": true])
            await parties.harness.stop(parties.one.chat)
            await parties.two.delivery.deliver(for: parties.ana)
            parties.two.clock.advance(.seconds(119))
            await parties.two.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.two, sale, parties.ana) == nil)
            parties.two.clock.advance(.seconds(1))
            await parties.two.delivery.deliver(for: parties.ana)
            await parties.harness.runAll()
            #expect(try await parties.got() == ["song"])
            #expect(try Self.row(parties.two, sale, parties.ana)?.count == 1)
        }
    }

    @Test func `resends a key that never arrived after 30 days, six times in total`() async throws {
        try await Self.run { parties in
            let sale = try await Self.sell(parties)
            await parties.harness.stop(parties.three)
            func count() throws -> UInt8? { try Self.row(parties.one, sale, parties.ana)?.count }
            await parties.one.delivery.deliver(for: parties.ana)
            parties.harness.clock.advance(by: 29 * 86_400)
            await parties.harness.runAll()
            await parties.one.delivery.deliver(for: parties.ana)
            #expect(try count() == 1)
            for expected in [2, 3, 4, 5, 6, 6, 6] as [UInt8] {
                parties.harness.clock.advance(by: 30 * 86_400)
                await parties.one.delivery.deliver(for: parties.ana)
                await parties.one.delivery.deliver(for: parties.ana)
                #expect(try count() == expected)
            }
            // The account's other node knows of each, and sends none of its own.
            await parties.harness.runAll()
            await parties.two.follower.runPass()
            await parties.two.delivery.deliver(for: parties.ana)
            #expect(try Self.row(parties.two, sale, parties.ana)?.count == 6)
        }
    }

    @Test func `a sale whose key cannot be read delays no other sale`() async throws {
        try await Self.run { parties in
            var sales: [WorkSale] = []
            for number in 1...6 as ClosedRange<UInt8> {
                let work = try await parties.one.add([number], named: "\(number)", by: parties.ana)
                let sale = try WorkSale(of: work, number, by: parties.key, to: parties.bo)
                try await sale.show(to: parties.one, from: 1 + 10 * UInt64(number))
                sales.append(sale)
                guard number.isMultiple(of: 2) else { continue }
                let file = try #require(Bytes32(hex: "0x" + work.identifier))
                try await parties.one.chat.store.write {
                    try $0.put(Works.self, CompositeKey(parties.ana, file), [1, 2, 3])
                }
            }
            await parties.one.delivery.deliver(for: parties.ana)
            await parties.harness.runAll()
            #expect(Set(try await parties.got()) == ["1", "3", "5"])
        }
    }

    /// - From people: removing a work while a sale of it has not ended, or its buyer does not have
    ///   the key → not_allowed
    /// - From people: removing a work while a chain of its sales cannot be read → chain_away,
    ///   chain_stale
    @Test func `a work that a sale needs cannot be removed or lose its name`() async throws {
        try await Self.run { parties in
            let work = try await parties.one.add([1], named: "draft", by: parties.ana)
            func refusal() async -> ProblemCode? {
                do {
                    try await parties.one.works.remove(work.identifier, by: parties.ana)
                    return nil
                } catch {
                    return (error as? Refusal)?.code
                }
            }
            let offer = try WorkSale(of: work, by: parties.key)
            try await offer.show(to: parties.one)
            #expect(await refusal() == .notAllowed)
            let sold = try WorkSale(of: work, 2, by: parties.key, to: parties.bo)
            try await sold.show(to: parties.one, from: 20)
            _ = try await parties.one.works.rename("draft", to: "final", by: parties.ana)
            await parties.one.delivery.deliver(for: parties.ana)
            await parties.harness.runAll()
            #expect(try await parties.got() == ["final"])
            // While a chain is not seen, nobody knows what is needed.
            parties.one.index.set(health: .starting)
            #expect(await refusal() == .chainAway)
            parties.one.index.set(health: .following)
            parties.one.index.restart()
            #expect(await refusal() == nil)
            #expect(try await parties.one.works(of: parties.ana).isEmpty)
        }
    }
}
