import Contracts
import Keys
import Market

/// What a money move costs before it leaves the node: transactions and call data.
enum ContractsBenchmark {
    static func run() throws {
        let key = PrivateKey.random()
        let call = listing()
        let rate = try perSecond(rounds: 5_000) { round in
            let transaction = Transaction(
                chain: ChainID(31_337),
                nonce: UInt64(round),
                to: call.to,
                value: call.value,
                data: call.data,
                gasLimit: 600_000,
                pricing: .dynamic(
                    priorityFee: Amount(small: 1_000_000_000),
                    feeCap: Amount(small: 30_000_000_000)
                )
            )
            return try transaction.signed(by: key).encoded.count
        }
        print("build and sign an EIP-1559 transaction: \(rate) a second")

        let list = try Artifact.escrow.interface.function("list")
        let arguments = try list.decodeCall(call.data)
        let encoding = try perSecond(rounds: 50_000) { _ in
            try list.encodeCall(arguments).count
        }
        print("ABI encode a listing (16 words): \(encoding) a second")
        let decoding = try perSecond(rounds: 50_000) { _ in
            try list.decodeCall(call.data).count
        }
        print("ABI decode a listing (16 words): \(decoding) a second")
    }

    private static func perSecond(rounds: Int, _ body: (Int) throws -> Int) throws -> Int {
        var sum = 0
        let time = try ContinuousClock().measure {
            for round in 0..<rounds { sum += try body(round) }
        }
        precondition(sum > 0, "the work was done")
        return Int(Double(rounds) / (time / .seconds(1)))
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
