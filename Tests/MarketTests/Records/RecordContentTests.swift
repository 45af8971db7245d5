import Foundation
import Keys
import Market
import SwiftProtobuf
import Testing
import WireMessages

struct RecordContentTests {
    @Test func `reads back each kind from its bytes`() throws {
        let avatar = Media(id: Samples.slot, byteCount: 10, form: .png)
        let node = Samples.key("node")
        let lease = try HomeLease(
            peer: NodeKey.peer(of: node.publicKey),
            addresses: ["/ip4/127.0.0.1/tcp/4001"],
            quotaByteCount: 1_000_000,
            until: Samples.now,
            account: Samples.ana.address,
            key: node
        )
        let profile = try Profile(name: "Ana", about: "Bicycles", avatar: avatar, homes: [lease])
        let device = try DeviceCertificate(key: Samples.key("phone").publicKey, name: "phone")
        let contents: [(RecordContent, String)] = [
            (.profile(profile), "Publish profile 'Ana'"),
            (
                .device(device),
                "Certify device 'phone' with key 0x\(Hex.encode(device.key.compressed))"
            ),
            (.review(try review()), "Rate sale \(SaleID(Samples.slot)) with 4 of 5 stars"),
            (.withdrawal(.profile), "Withdraw profile"),
            (.withdrawal(.device), "Revoke device \(Samples.slot)"),
            (.withdrawal(.listing), "Withdraw listing \(Samples.slot)"),
            (
                .withdrawal(.anchoredListing(try Samples.withdrawal())),
                "Withdraw listing \(Samples.slot)"
            ),
        ]
        for (content, summary) in contents {
            let record = try Samples.draft(content).signed(by: Samples.ana)
            #expect(record.content == content)
            #expect(record.summary == summary)
            #expect(try UnverifiedRecord(record.bytes).verified() == record)
        }
        #expect(lease.isGranted(to: Samples.ana.address))
        #expect(!lease.isGranted(to: Samples.bo.address))
    }

    @Test func `only a listing chooses its slot`() throws {
        let author = Samples.ana.address
        let device = try DeviceCertificate(key: Samples.bo.publicKey, name: "phone")
        let review = try review()

        #expect(try RecordContent.listing(Samples.listing()).slot(author: author) == nil)
        #expect(RecordContent.withdrawal(.profile).slot(author: author) == .zero)
        #expect(
            RecordContent.device(device).slot(author: author)
                == Keccak256.hash(Samples.bo.publicKey.compressed)
        )
        #expect(
            RecordContent.review(review).slot(author: author)
                == Review.slot(of: review.sale, reviewer: author)
        )
        #expect(
            Review.slot(of: review.sale, reviewer: author)
                != Review.slot(of: review.sale, reviewer: Samples.bo.address)
        )
    }

    /// - From peers: a review's withdrawal → rejected
    @Test func `refuses the withdrawal of a review`() throws {
        #expect(throws: RecordFault.payloadMissing) {
            try RecordContent(kind: .review, payload: [])
        }
        #expect(RecordFault.payloadMissing.verdict == .reject)
    }

    @Test func `refuses a withdrawal that also has a listing's fields`() throws {
        var wire = try WireListing(
            serializedBytes: RecordContent.listing(Samples.listing()).payload
        )
        wire.withdrawal = try WireListing(
            serializedBytes: RecordContent.withdrawal(
                .anchoredListing(Samples.withdrawal())
            ).payload
        ).withdrawal
        let both: [UInt8] = try wire.serializedBytes()
        #expect(throws: RecordFault.ruleBroken(.malformed(.withdrawal))) {
            try RecordContent(kind: .listing, payload: both[...])
        }

        var alone = WireListing()
        alone.withdrawal = wire.withdrawal
        let later: [UInt8] = try alone.serializedBytes() + [0xA0, 0x06, 1]
        let content = RecordContent.withdrawal(.anchoredListing(try Samples.withdrawal()))
        #expect(try RecordContent(kind: .listing, payload: later[...]) == content)
    }

    @Test func `a withdrawal names a chain, a contract and a promise`() throws {
        let good = try WireListing(
            serializedBytes: RecordContent.withdrawal(
                .anchoredListing(Samples.withdrawal())
            ).payload
        )
        let faults: [(RuleFault, (inout WireWithdrawal) -> Void)] = [
            (.missing(.chain), { $0.chainID = 0 }),
            (.malformed(.withdrawal), { $0.contract = Data(repeating: 0, count: 20) }),
            (.malformed(.withdrawal), { $0.sale = Data([1]) }),
            (.malformed(.anchor), { $0.clearPromise() }),
        ]
        for (fault, spoil) in faults {
            var wire = good
            spoil(&wire.withdrawal)
            let bytes: [UInt8] = try wire.serializedBytes()
            #expect(throws: RecordFault.ruleBroken(fault)) {
                try RecordContent(kind: .listing, payload: bytes[...])
            }
        }
    }

    @Test func `ignores a review in the slot of another review`() throws {
        let draft = Samples.draft(.review(try review()), by: Samples.ana)
        var wire = try WireRecord(
            serializedBytes: UnverifiedRecord(draft.signed(by: Samples.ana).bytes).bytes
        )
        wire.author = Data(Samples.bo.address.bytes)
        let id = try UnverifiedRecord(wire.serializedBytes()).id
        wire.signature = Data(Samples.bo.sign(id.digest).bytes)

        #expect(throws: RecordFault.wrongSlot) {
            try UnverifiedRecord(wire.serializedBytes()).verified()
        }
    }

    @Test(arguments: [0, 6]) func `accepts one to five stars`(stars: Int) {
        #expect(throws: RuleFault.malformed(.stars)) { try review(stars: stars) }
    }

    @Test func `accepts a review with stars and without words`() throws {
        let review = try review(text: "")
        let content = RecordContent.review(review)
        #expect(try RecordContent(kind: .review, payload: content.payload[...]) == content)
        #expect(throws: RuleFault.malformed(.text)) { try self.review(text: " ") }
    }

    private func review(stars: Int = 4, text: String = "Came in time.") throws -> Review {
        try Review(
            sale: SaleReference(
                contract: ContractReference(chain: Samples.chain, address: Samples.bo.address),
                id: SaleID(Samples.slot)
            ),
            stars: stars,
            text: text,
            outcome: .complete,
            currency: .native,
            price: Samples.amount("500000000000000000")
        )
    }
}
