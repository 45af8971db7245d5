import BigInt
import Keys
import Market
import Support
import Testing

struct RecordDigestTests {
    @Test func `the id is the hash of the typed data that any wallet computes`() throws {
        let record = try Samples.draft(.listing(Samples.listing())).signed(by: Samples.ana)
        let data = try TypedData(
            domain: TypedDataDomain(name: "Stoa", version: "1"),
            types: [
                "Record": [
                    TypedField("network", "string"), TypedField("kind", "uint8"),
                    TypedField("author", "address"), TypedField("slot", "bytes32"),
                    TypedField("createdAt", "uint64"), TypedField("summary", "string"),
                    TypedField("payloadHash", "bytes32"),
                ]
            ],
            primaryType: "Record",
            message: [
                "network": .string("test"),
                "kind": .integer(3),
                "author": .address(Samples.ana.address),
                "slot": .bytes(Samples.slot.bytes),
                "createdAt": .integer(BigInt(Samples.now.milliseconds)),
                "summary": .string(record.summary),
                "payloadHash": .bytes(Keccak256.hash(record.content.payload).bytes),
            ]
        )
        #expect(record.id == RecordID(data.digest))
    }
}
