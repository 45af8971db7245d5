import BigInt
import Foundation
import Keys
import Support
import Testing

struct TypedDataTests {
    private static let mail: [String: [TypedField]] = [
        "Mail": [
            TypedField("from", "Person"), TypedField("to", "Person"),
            TypedField("contents", "string"),
        ],
        "Person": [TypedField("name", "string"), TypedField("wallet", "address")],
    ]

    private static func person(_ name: String, _ wallet: String) throws -> TypedValue {
        .structure(["name": .string(name), "wallet": .address(try Address(text: wallet))])
    }

    /// The example of EIP-712 itself, with the hashes given there.
    @Test func `hashes the standard's example when built in code`() throws {
        let domain = TypedDataDomain(
            name: "Ether Mail",
            version: "1",
            chainID: 1,
            verifyingContract: try Address(text: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC")
        )
        let data = try TypedData(
            domain: domain,
            types: Self.mail,
            primaryType: "Mail",
            message: [
                "from": try Self.person("Cow", "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"),
                "to": try Self.person("Bob", "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"),
                "contents": .string("Hello, Bob!"),
            ]
        )
        #expect(
            data.domainSeparator.hex
                == "0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f"
        )
        #expect(
            data.digest.hex == "0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2"
        )
        let schema = try TypedDataSchema(Self.mail)
        #expect(
            try schema.encodeType("Mail")
                == "Mail(Person from,Person to,string contents)Person(string name,address wallet)"
        )
    }

    @Test func `a struct hashed by hand and by its schema gives the same hash`() throws {
        let fields = [
            TypedField("network", "string"), TypedField("kind", "uint8"),
            TypedField("author", "address"), TypedField("slot", "bytes32"),
            TypedField("open", "bool"), TypedField("body", "bytes"),
        ]
        let author = try Address(text: "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")
        let schema = try TypedDataSchema(["Note": fields])
        var hasher = StructHasher(typeHash: try schema.typeHash("Note"))
        hasher.add("main")
        hasher.add(3)
        hasher.add(author)
        hasher.add(Bytes32(repeating: 9))
        hasher.add(true)
        hasher.add(hashing: [1, 2, 3])
        let value: TypedValue = .structure([
            "network": .string("main"), "kind": .integer(3), "author": .address(author),
            "slot": .bytes(Bytes32(repeating: 9).bytes), "open": .bool(true),
            "body": .bytes([1, 2, 3]),
        ])
        #expect(hasher.finalize() == (try schema.hash(value, as: "Note")))
    }

    @Test(arguments: [
        ("uint8", BigInt(255), true), ("uint8", BigInt(256), false), ("uint8", BigInt(-1), false),
        ("int8", BigInt(127), true), ("int8", BigInt(128), false),
        ("int8", BigInt(-128), true), ("int8", BigInt(-129), false),
        ("uint256", (BigInt(1) << 256) - 1, true), ("uint256", BigInt(1) << 256, false),
        ("int256", -(BigInt(1) << 255), true), ("int256", BigInt(1) << 255, false),
    ])
    func `refuses numbers outside their type`(type: String, number: BigInt, fits: Bool) throws {
        let schema = try TypedDataSchema(["One": [TypedField("number", type)]])
        let value: TypedValue = .structure(["number": .integer(number)])
        if fits {
            _ = try schema.hash(value, as: "One")
        } else {
            #expect(throws: TypedDataError.outOfRange(path: "message.number", type: type)) {
                try schema.hash(value, as: "One")
            }
        }
    }

    @Test(arguments: [
        "uint7", "uint264", "uint08", "uint", "int", "bytes0", "bytes33", "bytes032", "string[0]",
        "string[-1]", "string[]]", "[]", "Other", "uint8[" + String(repeating: "]", count: 3),
        "uint8" + String(repeating: "[]", count: 17),
    ])
    func `refuses text that is not a type`(type: String) {
        #expect(throws: TypedDataError.self) {
            try TypedDataSchema(["One": [TypedField("value", type)]])
        }
    }

    @Test func `refuses names that give two types the same encoding`() {
        for name in ["A(B", "uint8", "address", "A,B", "A[]"] {
            #expect(throws: TypedDataError.invalidName(name)) { try TypedDataSchema([name: []]) }
        }
        #expect(throws: TypedDataError.repeatedField("a", of: "A")) {
            try TypedDataSchema(["A": [TypedField("a", "bool"), TypedField("a", "string")]])
        }
    }

    @Test func `a type may refer to itself, and null ends the recursion`() throws {
        let types = ["Node": [TypedField("id", "uint8"), TypedField("next", "Node")]]
        let schema = try TypedDataSchema(types)
        #expect(try schema.encodeType("Node") == "Node(uint8 id,Node next)")
        var end = StructHasher(typeHash: try schema.typeHash("Node"))
        end.add(1)
        end.add(Bytes32.zero)
        let value: TypedValue = .structure(["id": .integer(1), "next": .none])
        #expect(try schema.hash(value, as: "Node") == end.finalize())
    }
}
