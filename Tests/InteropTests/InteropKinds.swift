import BigInt
import Ethereum
import Foundation
import Keys
import Market
import Support

/// What Stoa answers to a case's input; the formats are at the head of ethereum_check.py.
enum InteropKinds {
    enum Fault: Error {
        case malformed(String)
        case unknownKind(String)
    }

    static func output(of kind: String, _ input: [String: Any]) throws -> [String: String] {
        let fields = InteropFields(input)
        switch kind {
        case "keccak": return ["hash": Keccak256.hash(try fields.bytes("data")).hex]
        case "address":
            let key = try fields.key()
            return [
                "publicKey": hex(key.publicKey.uncompressed), "address": key.address.checksummed,
            ]
        case "phrase": return try phrase(fields)
        case "recover":
            guard let hash = Bytes32(try fields.bytes("hash")),
                let signature = Signature(try fields.bytes("signature")),
                let signer = signature.signer(of: hash)
            else { throw Fault.malformed("signature") }
            return ["address": signer.address.checksummed]
        case "typed-data":
            let json = try JSONSerialization.data(withJSONObject: fields.object("typedData"))
            return try signed(TypedData(json: [UInt8](json)).digest, fields)
        case "transaction":
            let signed = try transaction(fields.object("transaction")).signed(by: fields.key())
            let read = try SignedTransaction.decode(signed.encoded)
            guard read == signed else { throw Fault.malformed("transaction reads back otherwise") }
            return ["raw": hex(signed.encoded), "hash": signed.hash.hex]
        case "abi": return try abi(fields)
        case "selector":
            let signature = try fields.text("signature")
            return [
                "selector": FunctionSelector(signature: signature).description,
                "topic": Keccak256.hash(signature.utf8).hex,
            ]
        case "rlp":
            let item = try item(fields.any("item"))
            let encoded = RLP.encode(item)
            guard try RLP.decode(encoded) == item else { throw Fault.malformed("item") }
            return ["encoded": hex(encoded)]
        case "keystore":
            let json = try JSONSerialization.data(withJSONObject: fields.object("keystore"))
            let key = try Keystore(json: [UInt8](json)).unlock(
                password: SecretBytes(text: fields.text("password"))
            )
            return ["privateKey": secret(of: key), "address": key.address.checksummed]
        default: throw Fault.unknownKind(kind)
        }
    }

    static func hex(_ bytes: [UInt8]) -> String { "0x" + Hex.encode(bytes) }

    /// Test keys only: these are written into files.
    static func secret(of key: PrivateKey) -> String {
        unsafe key.withBytes { bytes in unsafe hex([UInt8](bytes)) }
    }

    private static func signed(
        _ hash: Bytes32,
        _ fields: InteropFields
    ) throws -> [String: String] {
        ["hash": hash.hex, "signature": hex(try fields.key().sign(hash).bytes)]
    }

    private static func phrase(_ fields: InteropFields) throws -> [String: String] {
        let phrase = try RecoveryPhrase(text: fields.text("mnemonic"))
        let seed = phrase.seed(passphrase: try fields.text("passphrase"))
        let key = try HDKey(seed: seed).derive(HDPath(fields.text("path"))).privateKey
        return ["privateKey": secret(of: key), "address": key.address.checksummed]
    }

    private static func abi(_ fields: InteropFields) throws -> [String: String] {
        let (types, values) = try fields.typedValues()
        let encoded = try ABI.encode(values, as: types)
        guard try ABI.decode(encoded, as: types) == values else { throw Fault.malformed("values") }
        return ["encoded": hex(encoded)]
    }

    private static func item(_ json: Any) throws -> RLPItem {
        if let list = json as? [Any] { return .list(try list.map(item)) }
        guard let text = json as? String, let bytes = Hex.decode(text)
        else { throw Fault.malformed("item") }
        return .bytes(bytes)
    }

    private static func transaction(_ json: [String: Any]) throws -> Transaction {
        let fields = InteropFields(json)
        let entries = try (json["accessList"] as? [[String: Any]] ?? []).map { entry in
            let entry = InteropFields(entry)
            let keys = try entry.texts("storageKeys").map { text in
                guard let key = Bytes32(hex: text) else { throw Fault.malformed("storageKeys") }
                return key
            }
            return AccessListEntry(
                address: try Address(text: entry.text("address")),
                storageKeys: keys
            )
        }
        let pricing: TransactionPricing =
            switch try fields.text("type") {
            case "0x0": .legacy(gasPrice: try fields.quantity("gasPrice"))
            case "0x1": .accessList(gasPrice: try fields.quantity("gasPrice"), entries)
            default:
                .dynamic(
                    priorityFee: try fields.quantity("maxPriorityFeePerGas"),
                    feeCap: try fields.quantity("maxFeePerGas"),
                    entries
                )
            }
        let receiver = json["to"] as? String
        return Transaction(
            chain: ChainID(try fields.small("chainId")),
            nonce: try fields.small("nonce"),
            to: try receiver.map { try Address(text: $0) },
            value: try fields.quantity("value"),
            data: try fields.bytes("data"),
            gasLimit: try fields.small("gas"),
            pricing: pricing
        )
    }
}
