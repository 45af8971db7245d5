import Foundation
import Keys
import Support

/// Random inputs of each kind, as the head of ethereum_check.py has them.
enum InteropCases {
    static let kinds = [
        "keccak", "address", "phrase", "recover", "typed-data", "transaction", "abi",
        "transaction", "abi", "selector", "rlp", "keystore",
    ]

    static func input(
        of kind: String,
        using random: inout SeededRandom
    ) throws -> [String: Any] {
        let key = InteropKinds.hex(random.bytes(count: 32))
        let data = InteropKinds.hex(random.bytes(count: Int.random(in: 0...300, using: &random)))
        switch kind {
        case "keccak": return ["data": data]
        case "address": return ["privateKey": key]
        case "phrase": return try phrase(&random)
        case "recover":
            let hash = Bytes32.random(using: &random)
            let signature = try InteropFields(["privateKey": key]).key().sign(hash)
            return ["hash": hash.hex, "signature": InteropKinds.hex(signature.bytes)]
        case "typed-data": return ["privateKey": key, "typedData": typedData(&random)]
        case "transaction":
            return ["privateKey": key, "transaction": transaction(data, &random)]
        case "abi":
            return [
                "types": ["uint256", "(address,bytes)[]", "int64[2]", "string"],
                "values": [
                    String(random.next()), [[address(&random), data], [address(&random), "0x"]],
                    ["-\(random.next() >> 2)", "7"], "🚲 \(random.next())",
                ],
            ]
        case "selector": return ["signature": "f\(random.next())(uint256,(bytes,bool)[3])"]
        case "rlp": return ["item": [data, [], [[data, "0x00"], "0x7f", "0x80"]]]
        case "keystore": return try keystore(&random)
        default: throw InteropKinds.Fault.unknownKind(kind)
        }
    }

    /// Salt and nonce come from the operating system: the one part that a seed does not fix.
    private static func keystore(_ random: inout SeededRandom) throws -> [String: Any] {
        let password = "päss \(random.next())"
        guard let key = PrivateKey(SecretBytes(copying: random.bytes(count: 32))) else {
            throw InteropKinds.Fault.malformed("privateKey")
        }
        let cost = try KeystoreCost(rounds: 256, blockSize: 8, parallelism: 1)
        let sealed = try Keystore.seal(key, password: SecretBytes(text: password), cost: cost)
        return [
            "keystore": try JSONSerialization.jsonObject(with: Data(sealed)), "password": password,
        ]
    }

    private static func address(_ random: inout SeededRandom) -> String {
        (Address(random.bytes(count: 20)) ?? .zero).checksummed
    }

    private static func phrase(_ random: inout SeededRandom) throws -> [String: Any] {
        let entropy = SecretBytes(copying: random.bytes(count: 16))
        guard let phrase = RecoveryPhrase(entropy: entropy) else {
            throw InteropKinds.Fault.malformed("entropy")
        }
        return [
            "mnemonic": phrase.words().joined(separator: " "), "passphrase": "é\(random.next())",
            "path": "m/44'/60'/0'/0/\(random.next() % 1_000)",
        ]
    }

    private static func typedData(_ random: inout SeededRandom) -> [String: Any] {
        func field(_ name: String, _ type: String) -> [String: String] {
            ["name": name, "type": type]
        }
        return [
            "types": [
                "EIP712Domain": [field("name", "string"), field("chainId", "uint256")],
                "Mail": [field("from", "Person"), field("lines", "string[]")],
                "Person": [field("wallet", "address"), field("age", "int16")],
            ],
            "primaryType": "Mail",
            "domain": ["name": "Stoa \(random.next())", "chainId": String(random.next())],
            "message": [
                "from": ["wallet": address(&random), "age": "-\(random.next() % 30_000)"],
                "lines": ["a", "b \(random.next())"],
            ],
        ]
    }

    private static func transaction(
        _ data: String,
        _ random: inout SeededRandom
    ) -> [String: Any] {
        func quantity(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }
        let kind = random.next() % 3
        let fee = random.next() >> 20
        var fields: [String: Any] = [
            "type": quantity(kind), "chainId": quantity(1 + random.next() >> 30),
            "nonce": quantity(random.next() >> 1), "gas": quantity(100_000 + random.next() >> 30),
            "to": address(&random), "value": quantity(random.next()), "data": data,
        ]
        if kind < 2 {
            fields["gasPrice"] = quantity(fee)
        } else {
            fields["maxPriorityFeePerGas"] = quantity(fee)
            fields["maxFeePerGas"] = quantity(fee + random.next() >> 20)
        }
        if kind > 0 {
            let keys = [Bytes32.random(using: &random).hex]
            fields["accessList"] = [["address": address(&random), "storageKeys": keys]]
        }
        return fields
    }
}
