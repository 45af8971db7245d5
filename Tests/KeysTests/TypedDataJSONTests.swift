import Foundation
import Keys
import Support
import Testing

struct TypedDataJSONTests {
    /// Digests computed with eth-account 0.14.0 from the same messages.
    private static let digests = [
        "valid_eip712_example": "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
        "valid_eip712_example_addresses_not_checksummed":
            "be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2",
        "valid_eip712_example_with_array":
            "1780e7e042fa9ec126ccb68cd707d61580d00601b3eff8a5ec05116b46007fdb",
        "valid_issue_201_no_array":
            "09eb75cfd1cd5661523c7a3e681f07d57b108a6aff997658939c4dff0006e74a",
        "valid_issue_201_with_array":
            "3251bee8474b58a5df1adab9be78e2b18462d7a5ddf423389dcf98042188bef3",
        "valid_multi_array": "da275374c3a0790d389b6490d6fdf499f39c72105423f09d7b9be62d2fc08671",
        "valid_multi_no_fixed_len_array":
            "9d4ed1abf83bd225db7e2023022a780ab06ef130800e9cc8f4550f73e027a5ca",
        "valid_primary_type_is_empty_string":
            "da5079987d5ea68beca14009948a4034b066bc86426dc802f4a5762f435b91ff",
        "valid_space_in_custom_type_fieldname":
            "71a6b0afa1e5dcddf680d85068e2674a73d60e07a9d047c8f210871804dbba80",
    ]

    private static func cases(_ file: String) throws -> [(name: String, json: Data)] {
        let path = "eip712/\(file).json"
        guard VectorFolder.isPresent else {
            print("\(path): absent, passed over")
            return []
        }
        let object = try JSONSerialization.jsonObject(
            with: Data(contentsOf: VectorFolder.file(path))
        )
        return try #require(object as? [String: Any]).map {
            ($0.key, try JSONSerialization.data(withJSONObject: $0.value))
        }
    }

    @Test func `hashes data as every wallet does`() throws {
        let cases = try Self.cases("valid_for_all")
        for (name, json) in cases {
            #expect(
                try TypedData(json: json).digest.hex == "0x" + (Self.digests[name] ?? ""),
                "\(name)"
            )
        }
        if VectorFolder.isPresent { #expect(cases.count == Self.digests.count) }
        print("eip712/valid_for_all: \(cases.count) cases")
    }

    @Test func `refuses typed data that no wallet should sign`() throws {
        let cases = try Self.cases("invalid") + Self.cases("one_arg_invalid")
        for (name, json) in cases {
            #expect(throws: TypedDataError.self, "\(name)") { try TypedData(json: json) }
        }
        print("eip712/invalid, one_arg_invalid: \(cases.count) cases")
    }

    private static func one(_ type: String, _ value: String, domain: String = "") -> [UInt8] {
        let types = #"{"EIP712Domain":[\#(domain)],"One":[{"name":"v","type":"\#(type)"}]}"#
        return Array(
            #"{"types":\#(types),"primaryType":"One","domain":{},"message":{"v":\#(value)}}"#.utf8
        )
    }

    @Test(arguments: [
        ("bool", "1"), ("bool", "\"true\""), ("uint8", "true"), ("uint8", "1.5"), ("uint8", "256"),
        ("uint256", "115792089237316195423570985008687907853269984665640564039457"),
        ("uint256", "\"\""), ("uint256", "\"0x\""), ("uint256", "\" 1\""), ("uint256", "\"+1\""),
        ("uint256", "\"-1\""), ("uint8", "\"0x-1\""), ("string", "12"), ("string", "null"),
        ("bytes", "\"00\""), ("bytes", "\"0x0\""), ("bytes2", "\"0x00\""),
        ("bytes2", "\"0x000000\""),
        ("address", "\"0x00\""), ("address", "\"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed\""),
        ("uint8[2]", "[1]"), ("uint8[]", "1"), ("uint8[]", "[[1]]"), ("One", "1"),
    ])
    func `refuses a value that is not of its type`(type: String, value: String) {
        #expect(throws: TypedDataError.self) { try TypedData(json: Self.one(type, value)) }
    }

    @Test(arguments: [
        ("uint64", "18446744073709551615", "\"18446744073709551615\""),
        ("uint256", "\"0xff\"", "255"), ("int256", "-1", "\"-1\""),
    ])
    func `reads a number in any JSON spelling`(type: String, a: String, b: String) throws {
        let first = try TypedData(json: Self.one(type, a))
        #expect(first == (try TypedData(json: Self.one(type, b))))
    }

    @Test func `names the fault of malformed data`() {
        #expect(throws: TypedDataError.mismatch(path: "message.v[1]", type: "bool")) {
            try TypedData(json: Self.one("bool[]", "[true,2]"))
        }
        #expect(throws: TypedDataError.invalidDomainField("owner")) {
            try TypedData(
                json: Self.one("bool", "true", domain: #"{"name":"owner","type":"address"}"#)
            )
        }
        #expect(throws: TypedDataError.malformed(part: "types")) {
            try TypedData(json: Array("{}".utf8))
        }
        #expect(throws: TypedDataError.malformed(part: "text")) {
            try TypedData(json: Array("{\"types\":".utf8))
        }
    }
}
