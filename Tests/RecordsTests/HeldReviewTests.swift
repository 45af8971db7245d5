import Foundation
import Keys
import Logging
import Market
import Records
import Storage
import Support
import Synchronization
import Testing

struct HeldReviewTests {
    /// A chain that shows no sale, and knows some contracts as the market's.
    private final class Contracts: ChainView, Sendable {
        let own: Mutex<Set<ContractReference>>

        init(_ own: Set<ContractReference>) { self.own = Mutex(own) }

        func role(of contract: ContractReference) -> ContractRole {
            own.withLock { $0.contains(contract) ? .sells(.escrow) : .foreign }
        }
        func sale(_ sale: SaleReference) -> Sale? { nil }
        func isParty(_ account: Address) -> Bool { false }
    }

    private static func contract(_ number: UInt8) throws -> ContractReference {
        let address = try #require(Address(Array(repeating: number, count: 20)))
        return ContractReference(chain: ChainID(1), address: address)
    }

    private static func review(of contract: ContractReference, by key: PrivateKey, sale: Int) throws
        -> SignedRecord
    {
        let id = SaleID(Keccak256.hash("\(sale)".utf8))
        let content = RecordContent.review(
            try Review(
                sale: SaleReference(contract: contract, id: id),
                stars: 5,
                text: "Good",
                outcome: .complete,
                currency: .native,
                price: try #require(Amount(decimal: "1"))
            )
        )
        return try RecordDraft(
            network: "test",
            author: key.address,
            content: content,
            slot: try #require(content.slot(author: key.address)),
            createdAt: Timestamp(milliseconds: UInt64(Date.now.timeIntervalSince1970 * 1_000))
        ).signed(by: key)
    }

    @Test func `reviews that the chain never confirms delay no other review`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 28)
        let (invented, real) = (try Self.contract(1), try Self.contract(2))
        let chain = Contracts([invented, real])
        let recordService = RecordService(
            store: store,
            network: "test",
            rules: .light,
            view: chain,
            announce: { _ in },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        for sale in 0..<300 {
            let key = testKey("reviewer \(sale / 200)")
            let verdict = await recordService.validate(
                try Self.review(of: invented, by: key, sale: sale).bytes
            )
            #expect(verdict == .ignoreForNow)
        }
        let key = testKey("a reviewer")
        _ = await recordService.validate(try Self.review(of: real, by: key, sale: 300).bytes)
        #expect(try store.read { try $0.heldRecordCount() } == 301)

        // What is known now decides about the last one alone.
        _ = chain.own.withLock { $0.remove(real) }
        var place: HeldRecordKey?
        repeat { place = try await recordService.validateHeld(after: place) } while place != nil
        #expect(try store.read { try $0.heldRecordCount() } == 300)
    }
}
