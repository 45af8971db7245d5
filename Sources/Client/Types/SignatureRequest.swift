public import Texts

/// The signature that an operation of an externally signing account waits for.
///
/// Exactly one of ``typedData`` and ``transaction`` is set.
public struct SignatureRequest: Codable, Hashable, Sendable, DescribedType {
    /// The id of the operation.
    public var operation: String
    public var kind: Operation.Kind
    /// The listing or sale it is about.
    public var subject: String?
    /// The meaning of signing it, one line each.
    public var words: [Sentence]
    /// A record, as typed data in the JSON of `eth_signTypedData_v4`.
    public var typedData: String?
    public var transaction: UnsignedTransaction?

    package static let fields: [String: FieldFacts] = [
        "operation": .hash, "kind": "buy", "subject": .anyID, "typedData": "{…}",
    ]

    public init(
        operation: String,
        kind: Operation.Kind,
        subject: String?,
        words: [Sentence],
        typedData: String? = nil,
        transaction: UnsignedTransaction? = nil
    ) {
        (self.operation, self.kind, self.subject) = (operation, kind, subject)
        (self.words, self.typedData, self.transaction) = (words, typedData, transaction)
    }
}

/// A transaction that a wallet outside the node has to sign.
///
/// The wallet may choose other fees up to ``feeMax``, and a nonce up to ``nonceMax``; all other
/// fields must be as here. All amounts are in wei, as decimal numbers.
public struct UnsignedTransaction: Codable, Hashable, Sendable, DescribedType {
    public var chain: UInt64
    public var from: String
    /// `nil` makes a new contract.
    public var to: String?
    public var value: String
    /// `0x` and the call's bytes.
    public var data: String
    public var nonce: UInt64
    public var nonceMax: UInt64
    public var gas: UInt64
    /// The fees of EIP-1559; `nil` on a chain without them.
    public var maxFeePerGas: String?
    public var maxPriorityFeePerGas: String?
    /// The price of gas on a chain without EIP-1559.
    public var gasPrice: String?
    /// The maximum fee: price times gas.
    public var feeMax: String
    /// The unsigned bytes, of which a wallet signs the Keccak-256 hash.
    public var unsigned: String

    package static let fields: [String: FieldFacts] = [
        "chain": .chain, "from": .address, "to": .address, "value": .bareAmount, "data": "0x…",
        "nonceMax": 16, "gas": 200_000, "maxFeePerGas": .bareAmount.example("2"),
        "maxPriorityFeePerGas": .bareAmount, "gasPrice": .bareAmount,
        "feeMax": .feeMax.example("400000"),
        "unsigned": "0x…",
    ]

    public init(
        chain: UInt64,
        from: String,
        to: String?,
        value: String,
        data: String,
        nonce: UInt64,
        nonceMax: UInt64,
        gas: UInt64,
        maxFeePerGas: String? = nil,
        maxPriorityFeePerGas: String? = nil,
        gasPrice: String? = nil,
        feeMax: String,
        unsigned: String
    ) {
        (self.chain, self.from, self.to, self.value) = (chain, from, to, value)
        (self.data, self.nonce, self.nonceMax, self.gas) = (data, nonce, nonceMax, gas)
        (self.maxFeePerGas, self.maxPriorityFeePerGas) = (maxFeePerGas, maxPriorityFeePerGas)
        (self.gasPrice, self.feeMax, self.unsigned) = (gasPrice, feeMax, unsigned)
    }
}

/// A wallet's answer to a ``SignatureRequest``; exactly one of the fields.
public struct SignatureAnswer: Codable, Hashable, Sendable, DescribedType {
    /// The signature of the typed data, or of exactly the transaction: `0x` and 130 digits.
    public var signature: String?
    /// The signed transaction, as it would be sent.
    public var transaction: String?
    /// The hash of the transaction, if the wallet has sent it.
    public var hash: String?

    package static let fields: [String: FieldFacts] = [
        "signature": "0x…", "transaction": "0x…", "hash": "0x…",
    ]

    public init(signature: String? = nil, transaction: String? = nil, hash: String? = nil) {
        (self.signature, self.transaction, self.hash) = (signature, transaction, hash)
    }
}
