import Client
import Crypto
import Foundation
import Keys
import Mail
import Market
import Setup
import Support
import Testing
import TradeSupport

@testable import Trade

/// Digital works, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WorkTests {
    private static let song = [UInt8](
        (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8) }
    )

    private static func refused(_ body: () async throws -> some Sendable) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    /// Whether the buyer of a work is warned that its key is missing.
    private static func isWarned(confirming sale: String, _ client: StoaClient) async throws -> Bool
    {
        let preview = try await client.preview(sale: sale, SaleMove(move: "confirm"))
        return preview.warnings.contains { $0.code == "escrow.confirmNoKey" }
    }

    /// Lists the song for sale.
    private static func list(
        _ client: StoaClient,
        payment: String
    ) async throws -> (listing: String, work: Work) {
        try await client.waitUntilFunded()
        let picture = try await client.addMedia(MediaSamples.png(30, 20))
        var content = MarketNode.bicycle
        (content.type, content.category, content.delivery) = ("digital", "digital", "online")
        (content.shipsTo, content.payment, content.title) = ([], payment, "A song")
        content.media = [ListingMedia(id: picture.id)]
        content.identifier = String(repeating: "0f", count: 32)
        let missing = try await client.preview(content).problems
        #expect(missing.map(\.code) == ["bad_listing"] && missing.map(\.field) == ["identifier"])
        let work = try await client.addWork(song, named: "song.flac")
        content.identifier = work.identifier
        let preview = try await client.preview(content)
        let isReleased = preview.warnings.contains { $0.code == "escrow.releaseDue" }
        #expect(isReleased == (payment == "escrow"))
        let begun = try await client.list(content)
        let ended = try await client.follow(begun) { _ in }
        #expect(ended.state == .done)
        return (ended.subject ?? "", work)
    }

    /// - From people: a listing of a digital work whose file the account has not added →
    ///   bad_listing
    /// - From people: the file of a sale before its key has arrived, or for anybody but the buyer →
    ///   not_found, not_your_sale
    /// - From peers: requests from hundreds of free accounts, to push the delivery address of a
    ///   paid sale out of the request box → it is not a request: the other side of a sale is a
    ///   contact
    @Test func `a work can be sold, delivered by its key and checked by its buyer`() async throws {
        try await MarketNode.run { market in
            let (listing, work) = try await market.asking(market.ana) { ana in
                let (listing, work) = try await Self.list(ana, payment: "escrow")
                let hash = StoredWork.hash(Self.song)
                #expect(work.identifier == ItemIdentifier(fileHash: hash).text)
                #expect(work.name == "song.flac" && work.length == UInt64(Self.song.count))
                #expect(try await ana.works() == [work])
                // The same file again is the same work.
                #expect(try await ana.addWork(Self.song, named: "again.flac") == work)
                // The sale needs it.
                let kept = await Self.refused { try await ana.removeWork(work.identifier) }
                #expect(kept == "not_allowed")
                return (listing, try await ana.renameWork("song.flac", to: "final.flac"))
            }
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            let sale = try await market.asking(market.bo) { bo in
                try await bo.waitUntilFunded()
                let preview = try await bo.preview(Purchase(listing: listing))
                #expect(preview.explanation.contains { $0.code == "escrow.workKey" })
                let begun = try await bo.buy(Purchase(listing: listing))
                let sale = try await bo.follow(begun) { _ in }.subject ?? ""
                #expect(await Self.refused { try await bo.boughtWork(ofSale: sale) } == "not_found")
                #expect(try await bo.works().isEmpty)
                try await waitUntil {
                    try await Self.isWarned(confirming: sale, bo)
                }
                return sale
            }
            try await market.asking(market.ana) { ana in
                let own = await Self.refused { try await ana.boughtWork(ofSale: sale) }
                #expect(own == "not_your_sale")
                try await waitUntil {
                    try await ana.sale(sale).actions.map(\.move).contains("transfer")
                }
                let action = try await ana.sale(sale).actions.first { $0.move == "transfer" }
                #expect(action?.consequence.first?.code == "escrow.release")
                let preview = try await ana.preview(sale: sale, SaleMove(move: "transfer"))
                #expect(preview.summary.map(\.code) == ["escrow.release", "escrow.releaseSends"])
                let begun = try await ana.move(sale: sale, SaleMove(move: "transfer"))
                _ = try await ana.follow(begun) { _ in }
            }
            try await market.asking(market.bo) { bo in
                try await waitUntil {
                    await Self.refused({ try await bo.boughtWork(ofSale: sale) }) == nil
                }
                #expect(try await !Self.isWarned(confirming: sale, bo))
                let got = try await bo.boughtWork(ofSale: sale)
                #expect(got.name == "final.flac" && got.bytes == Self.song && got.sale == sale)
                #expect(try await bo.works() == [work])
                // One message, however often the chain is looked at.
                // The seller of what he bought is no stranger.
                #expect(try await bo.conversations(requests: true).items.isEmpty)
                let all = try await bo.conversations().items
                #expect(all.count == 1)
                let messages = try await bo.messages(of: all.first?.id ?? "")
                #expect(messages.map(\.kind) == ["work"])
                #expect(messages.first?.text == "final.flac")
                // What he has got stays his without the message that brought its key.
                try await bo.delete(conversation: all.first?.id ?? "")
                #expect(try await bo.conversations().items.isEmpty)
                #expect(try await bo.boughtWork(ofSale: sale).bytes == Self.song)
            }
        }
    }

    @Test func `a restarted node delivers a work that was left to it`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await MarketNode.run(in: folder, on: harness) { market in
                _ = try await market.asking(market.ana) {
                    try await Self.list($0, payment: "direct")
                }
                let request = UnattendedRequest(
                    password: "correct horse",
                    moves: ["deliver"],
                    seconds: 86_400
                )
                _ = try await market.node.asOperator { try await $0.leaveAlone("ana", request) }
                try await harness.dev.fund(try Address(text: market.bo.account.address))
            }
            try await MarketNode.run(in: folder, on: harness) { market in
                let listing = try await market.asking(market.ana) { ana in
                    let sales = try await ana.sales(limit: 10).items
                    try await ana.signOut()
                    return sales.first?.listing ?? ""
                }
                try await market.asking(market.bo) { bo in
                    #expect(try await bo.accounts().first { $0.name == "ana" }?.isUnlocked == false)
                    try await bo.waitUntilFunded()
                    let begun = try await bo.buy(Purchase(listing: listing))
                    let sale = try await bo.follow(begun) { _ in }.subject ?? ""
                    try await waitUntil {
                        await Self.refused({ try await bo.boughtWork(ofSale: sale) }) == nil
                    }
                    #expect(try await bo.boughtWork(ofSale: sale).bytes == Self.song)
                }
            }
        }
    }

    /// - From people: selling a bought digital work again as goods → bad_listing
    @Test func `a sale that ends on payment delivers the work at once`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.asking(market.ana) {
                try await Self.list($0, payment: "direct")
            }
            try await market.harness.dev.fund(try Address(text: market.bo.account.address))
            let sale = try await market.asking(market.bo) { bo in
                try await bo.waitUntilFunded()
                let begun = try await bo.buy(Purchase(listing: listing))
                let sale = try await bo.follow(begun) { _ in }.subject ?? ""
                try await waitUntil {
                    await Self.refused({ try await bo.boughtWork(ofSale: sale) }) == nil
                }
                let got = try await bo.boughtWork(ofSale: sale)
                #expect(got.bytes == Self.song)
                return sale
            }
            try await Self.resell(market, bought: sale)
        }
    }

    /// Bo sells on what he bought, under the same token, and his node delivers it.
    private static func resell(_ market: MarketNode, bought sale: String) async throws {
        let listing = try await market.asking(market.bo) { bo in
            var content = try await bo.resale(of: sale)
            #expect(content.type == "digital" && content.media?.count == 1)
            (content.title, content.price.amount) = ("A song, as it was bought", "70000")
            // It stays a digital work.
            var goods = content
            (goods.type, goods.category, goods.delivery) = ("goods", "music", "pickup")
            goods.pickupPlace = "Harbour 4"
            let problems = try await bo.preview(goods).problems
            #expect(problems.map(\.code) == ["bad_listing"] && problems.map(\.field) == ["type"])
            let begun = try await bo.list(content)
            let ended = try await bo.follow(begun) { _ in }
            #expect(ended.state == .done)
            return ended.subject ?? ""
        }
        try await market.asking(market.ana) { ana in
            try await waitUntil {
                try await !ana.listings(ListingSearch(text: "bought")).items.isEmpty
            }
            let begun = try await ana.buy(Purchase(listing: listing))
            let second = try await ana.follow(begun) { _ in }.subject ?? ""
            try await waitUntil {
                await Self.refused({ try await ana.boughtWork(ofSale: second) }) == nil
            }
            let got = try await ana.boughtWork(ofSale: second)
            #expect(got.bytes == Self.song && got.name == "song.flac")
        }
    }

    /// - From people: a work that is empty, longer than 15 MiB less 28 bytes, or has a name with a
    ///   slash → malformed_value, body_too_large
    /// - From people: renaming or removing a work that does not exist, or by a name that several
    ///   share → not_found, ambiguous_id
    @Test func `refuses a file that cannot be a work`() async throws {
        try await TestNode.run { node in
            let session = try await node.signIn("ana")
            let address = try NodeAddress(text: node.running.api)
            try await StoaClient.scoped(address, token: session.token) { client in
                try await Self.refuseWorks(client)
            }
        }
    }

    private static func code(
        of bytes: [UInt8],
        named name: String,
        _ client: StoaClient
    ) async -> String? {
        do {
            _ = try await client.addWork(bytes, named: name)
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    private static func refuseWorks(_ client: StoaClient) async throws {
        let empty = await code(of: [], named: "a", client)
        #expect(empty != nil)
        for name in ["", "a/b", "..", " a", "a\nb", String(repeating: "x", count: 161)] {
            let found = await code(of: [1], named: name, client)
            #expect(found == "malformed_value", "\(name)")
        }
        let most = [UInt8](repeating: 7, count: Int(StoredWork.fileByteCountMax))
        let long = await code(of: most + [7], named: "a", client)
        #expect(long == "body_too_large")
        let kept = try await client.addWork(most, named: "a")
        #expect(kept.length == StoredWork.fileByteCountMax)
        try await renameAndRemove(kept, client)
    }

    private static func renameAndRemove(_ kept: Work, _ client: StoaClient) async throws {
        for name in ["", "a/b"] {
            let found = await refused { try await client.renameWork("a", to: name) }
            #expect(found == "malformed_value")
        }
        for work in ["b", "0000", String(kept.identifier.prefix(3))] {
            #expect(await refused { try await client.removeWork(work) } == "not_found")
        }
        let other = try await client.addWork([1], named: "b")
        let renamed = try await client.renameWork("b", to: "a")
        #expect(renamed.identifier == other.identifier && renamed.name == "a")
        #expect(await refused { try await client.removeWork("a") } == "ambiguous_id")
        try await client.removeWork("0x" + other.identifier.prefix(12).uppercased())
        #expect(try await client.works() == [kept])
        try await client.removeWork("a")
        #expect(try await client.works().isEmpty)
        #expect(await refused { try await client.removeWork("a") } == "not_found")
    }

    /// - From people: the file of a sale if it is not the promised file → not_as_promised
    @Test func `does not open a file that differs from the promised one`() throws {
        let (file, key, sealed) = try StoredWork.encrypt(Self.song)
        func work(_ file: Bytes32, _ key: Bytes32) -> StoredWork {
            StoredWork(
                file: file,
                blob: .zero,
                byteCount: UInt64(sealed.count),
                key: key,
                name: "a"
            )
        }
        let promised = ItemIdentifier(fileHash: file).text
        #expect(work(file, key).decrypt(sealed, expecting: promised) == Self.song)
        #expect(UInt64(sealed.count) == UInt64(Self.song.count) + StoredWork.overhead)
        let other = Bytes32(repeating: 1)
        #expect(work(other, key).decrypt(sealed, expecting: promised) == nil)
        #expect(work(file, other).decrypt(sealed, expecting: promised) == nil)
        let another = ItemIdentifier(fileHash: other).text
        #expect(work(file, key).decrypt(sealed, expecting: another) == nil)
        for place in [0, 12, sealed.count - 1] {
            var spoilt = sealed
            spoilt[place] ^= 1
            #expect(work(file, key).decrypt(spoilt, expecting: promised) == nil)
        }
        #expect(work(file, key).decrypt([1, 2], expecting: promised) == nil)
        // A file of the seller's choice under a key that opens it is still another file.
        // What was promised, sealed as another work, does not take that one's place.
        let secret = Bytes32(repeating: 5)
        let box = try AES.GCM.seal(
            Self.song,
            using: SymmetricKey(data: secret.bytes),
            authenticating: other.bytes
        )
        let combined = try #require(box.combined.map { [UInt8]($0) })
        #expect(work(other, secret).decrypt(combined, expecting: promised) == nil)
        let (lie, lieKey, lieSealed) = try StoredWork.encrypt([1, 2, 3])
        #expect(work(lie, lieKey).decrypt(lieSealed, expecting: promised) == nil)
    }
}
