import Foundation
import Keys
import Market
import Support
import Testing

struct RecordDraftWalletTests {
    @Test func `the digest of a wallet's request is the record's id`() throws {
        for content in [
            .listing(try Samples.listing()),
            .profile(try Profile(name: "Ana \"the\" seller", about: "/€", homes: [])),
            .device(try DeviceCertificate(key: Samples.bo.publicKey, name: "a device")),
        ] as [RecordContent] {
            let draft = Samples.draft(content)

            let read = try TypedData(json: draft.typedDataJSON)

            #expect(RecordID(read.digest) == draft.id)
            #expect(draft.typedDataJSON == draft.typedDataJSON)
        }
    }

    @Test func `a signature made by a wallet gives the same record`() throws {
        let draft = Samples.draft(.listing(try Samples.listing()))
        let signature = Samples.ana.sign(try TypedData(json: draft.typedDataJSON).digest)

        let record = try draft.signed(with: signature)

        #expect(try record == draft.signed(by: Samples.ana))
    }

    @Test func `refuses a signature by another account or for another draft`() throws {
        let draft = Samples.draft(.listing(try Samples.listing()))
        let device = try DeviceCertificate(key: Samples.bo.publicKey, name: "other")
        let other = Samples.draft(.device(device))

        #expect(throws: RecordFault.wrongSigner) {
            try draft.signed(with: Samples.bo.sign(draft.id.digest))
        }
        #expect(throws: RecordFault.wrongSigner) {
            try draft.signed(with: Samples.ana.sign(other.id.digest))
        }
    }
}
