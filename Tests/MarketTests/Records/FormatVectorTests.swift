import Foundation
import Keys
import Market
import Support
import Testing

/// Vectors of Stoa's formats, for implementations in other languages.
///
/// `STOA_WRITE_VECTORS=1 swift test --filter FormatVectorTests` writes the files again; otherwise
/// the test compares them, so that no format changes unnoticed.
struct FormatVectorTests {
    /// A record with its inputs and its expected encoding.
    private struct RecordVector: Codable, Equatable {
        let name: String
        let privateKey: String
        let network: String
        let kind: UInt8
        let author: String
        let slot: String
        let createdAtMs: UInt64
        let summary: String
        let payload: String
        let id: String
        let bytes: String
    }

    /// A commitment with its canonical bytes.
    private struct PromiseVector: Codable, Equatable {
        let name: String
        let slot: String
        let bytes: String
        let hash: String
    }

    @Test func `writes records as in the vectors`() throws {
        let contents = try contents()
        let vectors = try contents.map { name, content in
            let record = try Samples.draft(content).signed(by: Samples.ana)
            return RecordVector(
                name: name,
                privateKey: Keccak256.hash("ana".utf8).hex,
                network: record.network,
                kind: record.kind.rawValue,
                author: record.author.checksummed,
                slot: record.slot.hex,
                createdAtMs: record.createdAt.milliseconds,
                summary: record.summary,
                payload: "0x" + Hex.encode(content.payload),
                id: record.id.digest.hex,
                bytes: "0x" + Hex.encode(record.bytes)
            )
        }
        try expect(vectors, in: "records.json")
        for vector in vectors {
            let bytes = try #require(Hex.decode(vector.bytes))
            #expect(try UnverifiedRecord(bytes).verified().id.digest.hex == vector.id)
        }
    }

    @Test func `writes promises as in the vectors`() throws {
        let vectors = try listings().map { name, listing in
            let promise = ListingCommitment(of: listing, slot: Samples.slot)
            return PromiseVector(
                name: name,
                slot: Samples.slot.hex,
                bytes: "0x" + Hex.encode(promise.bytes),
                hash: promise.hash.hex
            )
        }
        try expect(vectors, in: "promise.json")
    }

    private func expect(_ vectors: [some Codable & Equatable], in name: String) throws {
        let url = projectRoot.appending(path: "Tests/Vectors/\(name)")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(vectors) + Data("\n".utf8)
        if ProcessInfo.processInfo.environment["STOA_WRITE_VECTORS"] == "1" {
            try text.write(to: url)
        }
        #expect(try Data(contentsOf: url) == text, "\(name) is not what the code writes")
    }

    private func contents() throws -> [(String, RecordContent)] {
        let listings = try listings().map { ($0, RecordContent.listing($1)) }
        let device = try DeviceCertificate(key: Samples.key("phone").publicKey, name: "phone")
        let review = try Review(
            sale: SaleReference(
                contract: ContractReference(
                    chain: Samples.chain,
                    address: Samples.key("contract").address
                ),
                id: SaleID(Samples.slot)
            ),
            stars: 5,
            text: "Came in time.",
            outcome: .complete,
            currency: .native,
            price: Samples.amount("500000000000000000")
        )
        return [
            ("profile", .profile(try Profile(name: "Ana", about: "Bicycles", region: "Berlin"))),
            ("device", .device(device)),
            ("review", .review(review)),
            ("withdrawal", .withdrawal(.listing)),
            (
                "withdrawal of a listing with a sale",
                .withdrawal(.anchoredListing(try Samples.withdrawal()))
            ),
        ] + listings
    }

    private func listings() throws -> [(String, Listing)] {
        let shipped = try Samples.listing()
        let media = Media(id: Bytes32(repeating: 7), byteCount: 70_000, form: .png)
        let digital = try Listing(
            form: .digital,
            title: "A picture",
            description: "In four colours.",
            category: "digital",
            tags: ["art"],
            media: [media],
            identifier: ItemIdentifier(fileHash: Bytes32(repeating: 5)),
            delivery: .online,
            chain: Samples.chain,
            terms: .escrow(try Samples.terms(price: "10007"))
        )
        let anchored = shipped.anchored(
            contract: Samples.key("contract").address,
            sale: SaleID(Bytes32(repeating: 6)),
            promised: ListingCommitment(of: shipped, slot: Samples.slot)
        )
        return [
            ("goods, shipped", shipped), ("a digital work", digital),
            ("goods, anchored", anchored),
            ("goods, sold directly", try goods(.direct(Samples.directTerms))),
            ("goods, auctioned", try goods(.auction(Samples.auctionTerms))),
            ("a course", try Samples.course(at: "Berlin")),
        ]
    }

    private func goods(_ terms: SaleTerms) throws -> Listing {
        try Listing(
            form: .goods,
            title: "A signed print",
            description: "Linocut.",
            category: "art",
            tags: ["print"],
            identifier: ItemIdentifier(normalising: "print 7 of 20"),
            delivery: .pickup(place: "Berlin"),
            chain: Samples.chain,
            terms: terms
        )
    }
}
