package import Market

/// The meaning of an endpoint's refusal of a sent transaction.
///
/// Endpoints give no code for it, so only the message shows it. The texts are those of go-ethereum,
/// Erigon, Nethermind, Besu, Reth and the chains that are built on them.
extension RPCRefusal {
    /// The refusal as the sender's queue takes it.
    package var sendAnswer: SendQueue.SendAnswer {
        if saysNonceUsed { return .nonceUsed }
        if saysKnown { return .taken }
        return repricing.map { .mispriced($0, message) } ?? .refused(message)
    }

    /// The minimum tip that the endpoint wants, in wei, if the message names one.
    package var tipNeeded: Amount? {
        guard saysUnderpriced,
            let found = text.firstMatch(of: /minimum needed:? ?([0-9]+)/)
        else { return nil }
        return Amount(decimal: String(found.output.1))
    }

    /// Returns the most gas that the message names, if that is below `gas`.
    package func gasNamed(below gas: UInt64) -> UInt64? {
        let least = ChainLimits().callGasMin
        return text.matches(of: /[0-9]+/).compactMap { UInt64($0.output) }
            .filter { $0 >= least && $0 < gas }.max()
    }

    /// Whether it is about the transaction rather than about the endpoint.
    var isOfTheTransaction: Bool { saysNonceUsed || saysKnown || repricing != nil }

    /// Whether the endpoint does not know yet whether it has the transaction.
    var isIndexing: Bool { text.contains("indexing is in progress") }

    private var text: String { told.message.lowercased().replacing("_", with: " ") }

    private func says(_ words: [String]) -> Bool {
        let text = text
        return words.contains(where: text.contains)
    }

    private var saysNonceUsed: Bool {
        says(["nonce too low", "nonce is too low", "oldnonce", "nonce has already been used"])
            || says(["nonce already used"])
    }

    private var saysKnown: Bool {
        guard !says(["alreadyknown", "known transaction"]) else { return true }
        let places = ["known", "import", "exist", "pool", "in cache", "submitted", "pending"]
        return says(["already "]) && says(places) && !says(["nonce", "reserved"])
    }

    /// The price, or the gas, that can help.
    private var repricing: SendQueue.Repricing? {
        if says(["exceeds the configured cap", "fee cap exceeded"]) { return .lower }
        if saysUnderpriced { return .raise }
        if says(["replac"]) && says(["underpriced", "too low", "notallowed"]) { return .outbid }
        return saysTooMuchGas ? .lessGas : nil
    }

    /// Whether it asks for more gas than a block, or one transaction, can have.
    private var saysTooMuchGas: Bool {
        says(["gas limit", "gaslimit"])
            && says(["exceed", "too high", "greater than", "more than"])
            && !says(["intrinsic", "cost", "floor"])
    }

    /// Whether a higher tip or price can help, whatever waits with the same nonce.
    private var saysUnderpriced: Bool {
        let words = [
            "underpriced", "gas tip cap", "gas price too low", "gas price is too low",
            "gasprice too low", "gas price below", "below configured minimum gas price",
            "tip too low", "feetoolow", "fee too low", "less than block base fee",
        ]
        return says(words) && !says(["replac"])
    }
}
