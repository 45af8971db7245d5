import Ethereum
import Market
import Testing

/// What endpoints' refusals of a sent transaction mean.
struct SendAnswerTests {
    private func refusal(_ message: String, code: Int = -32_000) -> RPCRefusal {
        RPCRefusal(method: "eth_sendRawTransaction", code: code, message: message)
    }

    @Test(arguments: [
        "already known", "AlreadyKnown", "ALREADY_EXISTS: already known", "Known transaction",
        "known transaction: 0x12", "Transaction with the same hash was already imported.",
        "transaction already exists in the pool", "tx already in mempool",
        "tx already exists in cache",
    ])
    func `counts a transaction as accepted if the endpoint already has it`(message: String) {
        #expect(refusal(message).sendAnswer == .taken)
    }

    @Test(arguments: [
        "nonce too low: next nonce 4, tx nonce 3", "OldNonce", "NONCE_TOO_LOW",
        "nonce has already been used", "nonce too low: address 0x12 tx: 3 state: 4",
    ])
    func `recognises a used nonce`(message: String) {
        #expect(refusal(message).sendAnswer == .nonceUsed)
    }

    @Test(
        arguments: [
            ("transaction underpriced", nil),
            ("transaction underpriced: gas tip cap 1, minimum needed 1000000", 1_000_000),
            (
                "transaction gas price below minimum: gas tip cap 5, minimum needed 25000000000",
                25_000_000_000
            ),
            ("FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2", nil),
            ("Gas price below configured minimum gas price", nil),
            (
                "max fee per gas less than block base fee: address 0x12, maxFeePerGas: 1, baseFee: 2",
                nil
            ),
        ] as [(String, UInt64?)]
    )
    func `recognises a price that is too low, and the price required`(
        message: String,
        needed: UInt64?
    ) {
        #expect(refusal(message).sendAnswer == .mispriced(.raise, message))
        #expect(refusal(message).tipNeeded == needed.map { Amount(small: $0) })
    }

    @Test(
        arguments: [
            (.outbid, "replacement transaction underpriced"),
            (.outbid, "ReplacementNotAllowed, gas price too low"),
            (.lower, "tx fee (1.50 ether) exceeds the configured cap (1.00 ether)"),
            (.lower, "Transaction fee cap exceeded"),
        ] as [(SendQueue.Repricing, String)]
    )
    func `recognises refusals that another price can resolve`(
        repricing: SendQueue.Repricing,
        message: String
    ) {
        #expect(refusal(message).sendAnswer == .mispriced(repricing, message))
        #expect(refusal(message).tipNeeded == nil)
    }

    @Test(
        arguments: [
            ("exceeds block gas limit", nil),
            ("transaction gas limit too high (cap: 16777216, tx: 31000000)", 16_777_216),
            ("TxGasLimitCapExceeded: Gas limit 31000000 exceeded cap of 16777216.", 16_777_216),
            (
                "Transaction gas limit of 31000000 exceeds block gas limit of 30000000",
                30_000_000
            ),
            ("GAS_LIMIT_EXCEEDS_BLOCK_GAS_LIMIT", nil),
            ("transaction gas limit (31000000) is greater than the cap (16777216)", 16_777_216),
        ] as [(String, UInt64?)]
    )
    func `recognises too much gas, and the most that is taken`(message: String, most: UInt64?) {
        for code in [-32_000, -32_603] {
            #expect(refusal(message, code: code).sendAnswer == .mispriced(.lessGas, message))
        }
        #expect(refusal(message).gasNamed(below: 31_000_000) == most)
    }

    /// - From endpoints: "nonce too low" for a sent transaction, while others want a higher price → theirs
    ///   counts, unless two say so
    @Test func `one endpoint with a used nonce hides no other answer`() {
        typealias Answer = SendQueue.SendAnswer
        let (low, no) = (Answer.mispriced(.raise, "underpriced"), Answer.refused("full"))
        let cases: [([Answer], Answer)] = [
            ([], .unreachable), ([.nonceUsed], .nonceUsed),
            ([.unreachable, .nonceUsed], .nonceUsed),
            ([.nonceUsed, low], low), ([no, .nonceUsed], no), ([.nonceUsed, no, low], low),
            ([.nonceUsed, low, .nonceUsed], .nonceUsed),
            ([.nonceUsed, .nonceUsed, .taken], .taken),
            ([.unreachable, no], no),
        ]
        for (answers, best) in cases { #expect(Answer.best(of: answers) == best, "\(answers)") }
    }

    @Test(arguments: [
        "insufficient funds for gas * price + value",
        "intrinsic gas too low: gas 1, minimum needed 2",
        "call gas cost (50000) exceeds the gas limit (30000)",
        "txpool is full",
        "address already reserved", "max priority fee per gas higher than max fee per gas",
    ])
    func `treats any other answer as a refusal`(message: String) {
        #expect(refusal(message).sendAnswer == .refused(message))
        #expect(refusal(message).tipNeeded == nil)
    }
}
