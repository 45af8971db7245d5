import Contracts
import Ethereum
import Keys
import Limits
import Market

/// What a money move costs before it leaves the node: transactions and call data.
enum ContractsBenchmark {
    /// The secret of the key that signs; a key of nobody.
    private static let secret = [UInt8](repeating: 5, count: 32)

    static func run() throws {
        let call = listing()
        let loop = try EthereumLoop(data: call.data, to: call.to, secret: secret)
        defer { loop.end() }
        try signing(call, loop)
        try encoding(call, loop)
        try decoding(call, loop)
    }

    /// Building and signing beside nothing but the signature, and beside eth-account.
    private static func signing(_ call: ContractCall, _ loop: EthereumLoop) throws {
        guard let key = PrivateKey(SecretBytes(copying: secret)) else { return }
        let name = "build and sign an EIP-1559 transaction"
        let bare = Comparison(name: name + ", bare signature", goal: 0.7, rounds: 5_000)
        try bare.run {
            for nonce in 0..<bare.rounds { _ = try signed(call, UInt64(nonce), by: key) }
        } limitSeconds: {
            var hash = [UInt8](repeating: 3, count: 32)
            let start = Comparison.now()
            _ = unsafe limits_sign_loop(secret, &hash, Int32(bare.rounds))
            return Comparison.now() - start
        }

        let other = Comparison(name: name + ", eth-account", goal: 1, rounds: 1_000)
        let own = Hex.encode(try signed(call, UInt64(other.rounds - 1), by: key))
        try other.run {
            for nonce in 0..<other.rounds { _ = try signed(call, UInt64(nonce), by: key) }
        } limitSeconds: {
            let turn = try loop.turn("sign", rounds: other.rounds)
            precondition(own.hasSuffix(turn.result), "both sign the same bytes")
            return turn.seconds
        }
    }

    private static func signed(
        _ call: ContractCall,
        _ nonce: UInt64,
        by key: PrivateKey
    ) throws -> [UInt8] {
        let transaction = Transaction(
            chain: ChainID(31_337),
            nonce: nonce,
            to: call.to,
            value: call.value,
            data: call.data,
            gasLimit: 600_000,
            pricing: .dynamic(
                priorityFee: Amount(small: 1_000_000_000),
                feeCap: Amount(small: 30_000_000_000)
            )
        )
        return try transaction.signed(by: key).encoded
    }

    private static func encoding(_ call: ContractCall, _ loop: EthereumLoop) throws {
        let list = try Artifact.escrow.interface.function("list")
        let arguments = try list.decodeCall(call.data)
        let own = Hex.encode(call.data)
        for work in ["abi-encode", "web3-encode"] {
            let comparison = Comparison(
                name: "ABI encode a listing (16 words), \(work)",
                goal: 5,
                rounds: 2_000
            )
            try comparison.run {
                for _ in 0..<comparison.rounds {
                    let data = try list.encodeCall(arguments)
                    precondition(data.count == call.data.count, "it is the whole call")
                }
            } limitSeconds: {
                let turn = try loop.turn(work, rounds: comparison.rounds)
                precondition(own.hasSuffix(turn.result), "both encode the same bytes")
                return turn.seconds
            }
        }
    }

    private static func decoding(_ call: ContractCall, _ loop: EthereumLoop) throws {
        let list = try Artifact.escrow.interface.function("list")
        for work in ["abi-decode", "web3-decode"] {
            let comparison = Comparison(
                name: "ABI decode a listing (16 words), \(work)",
                goal: 5,
                rounds: 2_000
            )
            try comparison.run {
                for _ in 0..<comparison.rounds {
                    let values = try list.decodeCall(call.data)
                    precondition(!values.isEmpty, "there are arguments")
                }
            } limitSeconds: {
                try loop.turn(work, rounds: comparison.rounds).seconds
            }
        }
    }

    private static func listing() -> ContractCall {
        let price = Amount(small: 500_000_000_000_000_000)
        let terms = EscrowTerms(
            currency: .native,
            price: price,
            sellerDeposit: price,
            buyerDeposit: price,
            latePenalty: Amount(small: 10_000_000_000_000_000),
            arbiter: nil,
            arbiterFee: .zero,
            shipWindow: .days(3),
            confirmWindow: .days(21),
            rulingWindow: .days(14),
            offerUntil: ChainTime(seconds: 1_800_000_000)
        )
        let offer = EscrowOffer(
            seller: .zero,
            salt: Bytes32(repeating: 3),
            contentHash: Bytes32(repeating: 1),
            promise: Bytes32(repeating: 2),
            terms: terms
        )
        return EscrowContract(address: .zero).list(offer)
    }
}
