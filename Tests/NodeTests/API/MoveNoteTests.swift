import Client
import Foundation
import Keys
import Support
import Testing
import TradeSupport

/// The notes that come with moves, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MoveNoteTests {
    private static let tracking = "DHL 00340434161094"

    /// Runs a node on which Bo has bought Ana's bicycle, and Ana can send it.
    private static func sold(
        in folder: TemporaryFolder,
        on harness: MarketHarness,
        _ body: @escaping @Sendable (MarketNode, String) async throws -> Void
    ) async throws {
        try await MarketNode.run(in: folder, on: harness) { market in
            let (listing, sale) = try await market.list()
            try await market.asking(market.ana) { client in
                let abort = SaleMove(move: "abort", note: "Changed my mind")
                let shown = try await client.preview(sale: sale, abort)
                // Nobody has bought it, so nobody would read it.
                #expect(shown.problems.contains { $0.field == "note" })
            }
            try await harness.dev.fund(try Address(text: market.bo.account.address))
            try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                let begun = try await client.buy(Purchase(listing: listing, shipTo: "DE"))
                #expect(try await client.follow(begun) { _ in }.state == .done)
            }
            try await body(market, sale)
        }
    }

    private static func wait(_ client: StoaClient, _ sale: String, for move: String) async throws {
        try await waitUntil {
            try await client.sale(sale).actions.contains { $0.move == move }
        }
    }

    /// Makes a move with a note, and waits until both sides read it.
    private static func move(
        _ move: SaleMove,
        in sale: String,
        of market: MarketNode,
        by one: Session,
        to other: Session
    ) async throws {
        try await market.asking(one) { client in
            try await wait(client, sale, for: move.move)
            let ended = try await client.follow(try await client.move(sale: sale, move)) { _ in }
            #expect(ended.state == .done && ended.phases.last?.name == .told)
            #expect(ended.phases.allSatisfy { $0.state == .done })
        }
        for reader in [one, other] {
            try await market.asking(reader) { client in
                try await waitUntil { try await client.sale(sale).history.last?.note == move.note }
            }
        }
    }

    /// - From people: a note with a move that is empty, has more than 2,048 bytes or hidden
    ///   characters, or that nobody would get → malformed_value
    /// - From people: seven pictures with a note, one that the account has not added, or pictures without
    ///   a note → malformed_value
    @Test func `previews a note with its readers and refuses a bad one`() async throws {
        try await MarketHarness.scoped { harness in
            try await Self.sold(in: try TemporaryFolder(), on: harness) { market, sale in
                try await market.asking(market.ana) { client in
                    try await Self.wait(client, sale, for: "transfer")
                    var move = SaleMove(move: "transfer", note: Self.tracking)
                    let shown = try await client.preview(sale: sale, move)
                    #expect(shown.problems.isEmpty)
                    let words = shown.explanation.filter { $0.code.hasPrefix("preview.note") }
                    #expect(words.map(\.code) == ["preview.noteSent", "preview.noteReader"])
                    #expect(words[0].values["note"] == Self.tracking)
                    #expect(words[1].values["reader"] == market.bo.account.address)

                    let long = String(repeating: "x", count: 2_049)
                    for wrong in ["", " \n", long, "a\u{202E}b"] {
                        move.note = wrong
                        let asked = move
                        let problems = try await client.preview(sale: sale, asked).problems
                        #expect(problems.map(\.code) == ["malformed_value"], "\(wrong)")
                        let refused = await #expect(throws: Problem.self) {
                            try await client.move(sale: sale, asked)
                        }
                        #expect(refused?.code == "malformed_value" && refused?.field == "note")
                    }
                    try await Self.refusesPictures(client, sale)
                    #expect(try await client.sale(sale).phase == "paid")
                }
            }
        }
    }

    /// Expects that a move takes a picture that its account has added, and refuses other pictures.
    private static func refusesPictures(_ client: StoaClient, _ sale: String) async throws {
        let picture = try await client.addMedia(MediaSamples.png(30, 20)).id
        let unknown = "0x" + String(repeating: "07", count: 32)
        var move = SaleMove(move: "transfer", note: tracking, pictures: [picture])
        let shown = try await client.preview(sale: sale, move)
        #expect(shown.problems.isEmpty)
        let words = shown.explanation.first { $0.code == "preview.notePictures" }
        #expect(words?.values == ["count": "1"])
        let seven = Array(repeating: picture, count: 7)
        for (pictures, note) in [(seven, tracking), ([unknown], tracking), ([picture], nil)] {
            (move.pictures, move.note) = (pictures, note)
            let asked = move
            let problems = try await client.preview(sale: sale, asked).problems
            #expect(problems.map(\.code) == ["malformed_value"])
            let refused = await #expect(throws: Problem.self) {
                try await client.move(sale: sale, asked)
            }
            #expect(refused?.field == (note == nil ? "note" : "pictures"))
            guard pictures == seven else { continue }
            #expect(refused?.detail == "At most 6 pictures go with a note, each once.")
        }
    }

    /// Expects that both sides can open the picture of the last move, encoded again, and no other.
    private static func opensPicture(of sale: String, _ market: MarketNode) async throws {
        for reader in [market.ana, market.bo] {
            try await market.asking(reader) { client in
                let ids = try await client.sale(sale).history.last?.pictures ?? []
                #expect(ids.count == 1)
                let content = try await client.picture(ids.first ?? "", ofSale: sale)
                #expect(content.type == "image/webp")
                #expect(Array(content.bytes.prefix(4)) == Array("RIFF".utf8))
                let refused = await #expect(throws: Problem.self) {
                    try await client.picture("0x07", ofSale: sale)
                }
                #expect(refused?.code == "unknown_media")
            }
        }
    }

    @Test func `both sides read each other's notes even if the node ended early`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            // Dies at the latest here: nobody follows the move, and no block is final yet.
            try await Self.sold(in: folder, on: harness) { market, sale in
                try await market.asking(market.ana) { client in
                    try await Self.wait(client, sale, for: "transfer")
                    let move = SaleMove(move: "transfer", note: Self.tracking)
                    let key = IdempotencyKey("transfer")
                    let begun = try await client.move(sale: sale, move, key: key)
                    #expect(begun.phases.last?.name == .told)
                    #expect(try await client.move(sale: sale, move, key: key).id == begun.id)
                    let other = SaleMove(move: "transfer", note: "DHL 1")
                    let refused = await #expect(throws: Problem.self) {
                        try await client.move(sale: sale, other, key: key)
                    }
                    #expect(refused?.code == "idempotency_key_reused")
                }
            }
            let kept = try Data(contentsOf: folder.url.appending(path: "store/data.mdb"))
            #expect(kept.firstRange(of: Data(Self.tracking.utf8)) == nil)

            try await MarketNode.run(in: folder, on: harness) { market in
                let sale = try await market.asking(market.ana) { client in
                    let all = try await client.operations().items
                    let begun = try #require(all.first { $0.kind == .move })
                    let ended = try await client.follow(begun) { _ in }
                    #expect(ended.state == .done && ended.phases.allSatisfy { $0.state == .done })
                    return ended.subject ?? ""
                }
                try await market.asking(market.bo) { client in
                    try await waitUntil {
                        try await client.sale(sale).history.last?.note == Self.tracking
                    }
                }
                let picture = try await market.asking(market.bo) { client in
                    try await client.addMedia(MediaSamples.png(300, 200)).id
                }
                let dispute = SaleMove(
                    move: "dispute",
                    note: "The frame is cracked.\nSee it.",
                    pictures: [picture]
                )
                try await Self.move(dispute, in: sale, of: market, by: market.bo, to: market.ana)
                try await Self.opensPicture(of: sale, market)
                let answer = SaleMove(move: "propose", share: 5_000, note: "It was whole.")
                try await Self.move(answer, in: sale, of: market, by: market.ana, to: market.bo)
            }
        }
    }
}
