import Keys
import Mail
import MailSupport
import Market
import Support
import Synchronization
import Testing

/// Which messages final blocks show as parts of a sale; Ana is the seller, and Bo the buyer.
struct SaleRelationTests {
    private static let move = Bytes32(repeating: 9)

    private let chain = ChatChain()
    private let sale: SaleReference

    init() throws {
        var sample = try SampleSale(by: testKey(1), slot: Bytes32(repeating: 1))
        try sample.buy(by: testKey(2))
        let step = SaleStep(
            move: ReportedMove("dispute", by: ChatSamples.bo),
            time: sample.state.since,
            transaction: Self.move
        )
        sale = sample.reference
        let shown = Sale(sample.state, history: [step])
        chain.sales.withLock { $0[sample.reference] = shown }
    }

    private func relation(
        _ body: MailMessage.Body,
        from sender: Address,
        to recipient: Address
    ) -> SaleRelation {
        let message = ChatSamples.message(body, from: sender, to: recipient)
        return SaleRelation(of: message, in: chain)
    }

    @Test func `a note belongs to a move of its sender alone`() throws {
        let (ana, bo, carla) = (ChatSamples.ana, ChatSamples.bo, ChatSamples.account(3))
        let note = try MailNote(for: sale, transaction: Self.move, text: "Broken")
        #expect(relation(.note(note), from: bo, to: ana) == .ofMove)
        #expect(relation(.note(note), from: ana, to: bo) == .ofSide)
        #expect(relation(.note(note), from: carla, to: ana) == .unrelated)
        #expect(relation(.note(note), from: bo, to: carla) == .unrelated)
        let invented = try MailNote(for: sale, transaction: .zero, text: "Broken")
        #expect(relation(.note(invented), from: bo, to: ana) == .ofSide)
        let unknown = SaleReference(contract: sale.contract, id: SaleID(.zero))
        let other = try MailNote(for: unknown, transaction: Self.move, text: "Broken")
        #expect(relation(.note(other), from: bo, to: ana) == .unrelated)
    }

    @Test func `an address is the buyer's, and a key the seller's`() throws {
        let (ana, bo, carla) = (ChatSamples.ana, ChatSamples.bo, ChatSamples.account(3))
        let address = MailMessage.Body.address(try MailAddress(for: sale, text: "Main Street 1"))
        let key = MailMessage.Body.work(
            try MailWork(
                for: sale,
                file: .zero,
                blob: .zero,
                byteCount: 100,
                key: .zero,
                name: "song"
            )
        )
        #expect(relation(address, from: bo, to: ana) == .ofMove)
        #expect(relation(address, from: ana, to: bo) == .ofSide)
        #expect(relation(key, from: ana, to: bo) == .ofMove)
        #expect(relation(key, from: bo, to: ana) == .ofSide)
        for body in [address, key] {
            #expect(relation(body, from: carla, to: ana) == .unrelated)
            #expect(relation(.text("Hello"), from: bo, to: ana) == .unrelated)
        }
    }
}
