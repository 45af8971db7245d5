import Answers
package import Client
import Contracts
import Ethereum
package import Keys
import Market
import Setup

/// The signature requests to wallets of externally signing accounts, with their meaning in words.
package struct SignatureRequests: Sendable {
    private let operations: UnsignedOperations
    private let saleIndexes: SaleIndexes

    init(runner: OperationRunner, saleIndexes: SaleIndexes) {
        operations = UnsignedOperations(runner: runner)
        self.saleIndexes = saleIndexes
    }

    /// Returns what waits for the account's wallet, the oldest first.
    package func list(of account: Address) async throws -> [SignatureRequest] {
        try await operations.all(of: account).map(shown)
    }

    /// Returns the signature request of one operation.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`, or `move_not_open` if it waits for nothing.
    package func request(of operation: String, by account: Address) async throws
        -> SignatureRequest
    {
        shown(try await operations.unsigned(in: operation, of: account))
    }

    /// Accepts the account's wallet's signature, if it matches the request.
    ///
    /// - Throws: ``Refusal`` with `bad_signature`, `malformed_value`, `unknown_operation`,
    ///   `move_not_open`, `chain_away`.
    package func take(
        _ answer: SignatureAnswer,
        for operation: String,
        by account: Address
    ) async throws -> Client.Operation {
        try await operations.take(try WalletAnswer(answer), for: operation, by: account)
    }

    private func shown(_ unsigned: UnsignedOperation) -> SignatureRequest {
        let operation = unsigned.operation
        var request = SignatureRequest(
            operation: operation.id,
            kind: operation.kind,
            subject: operation.subject,
            words: []
        )
        switch unsigned.content {
        case .record(let draft):
            request.words = [
                Sentence("signing.record", ["summary": draft.summary]), Sentence("signing.public"),
            ]
            request.typedData = String(decoding: draft.typedDataJSON, as: UTF8.self)
        case .transaction(let wanted):
            request.words = words(of: wanted)
            request.transaction = UnsignedTransaction(wanted.asked)
        }
        return request
    }

    private func words(of request: WalletRequest) -> [Sentence] {
        let transaction = request.asked.transaction
        guard let saleIndex = transaction.chain.flatMap({ saleIndexes[$0] }) else { return [] }
        let market = saleIndex.deployment
        let call =
            request.kind == .cancel
            ? [Sentence("signing.nothing")]
            : market.words(of: transaction, saleIndex.kinds.contracts).sentences
        let again = request.kind == .speedUp ? [Sentence("signing.again")] : []
        let fee = request.asked.feeMax.value(in: .native, on: market.chain)
        let words =
            again + call + [
                Sentence("signing.fee", ["fee": fee]),
                Sentence("signing.chain", ["chain": "\(market.chain.number)"]),
            ]
        // A wallet that knows the token shows its amounts so, and so does the preview.
        return words.written(in: market.registry)
    }
}

extension UnsignedTransaction {
    /// - Parameter asked: The request.
    init(_ asked: AskedTransaction) {
        let transaction = asked.transaction
        self.init(
            chain: transaction.chain?.number ?? 0,
            from: asked.account.checksummed,
            to: transaction.to?.checksummed,
            value: transaction.value.decimal,
            data: "0x" + Hex.encode(transaction.data),
            nonce: transaction.nonce,
            nonceMax: asked.nonces.upperBound,
            gas: transaction.gasLimit,
            feeMax: asked.feeMax.decimal,
            unsigned: "0x" + Hex.encode(asked.unsignedBytes)
        )
        switch transaction.pricing {
        case .dynamic(let priorityFee, let feeCap, _):
            maxFeePerGas = feeCap.decimal
            maxPriorityFeePerGas = priorityFee.decimal
        case .legacy(let price), .accessList(let price, _):
            gasPrice = price.decimal
        }
    }
}

extension WalletAnswer {
    /// Reads the one field that is given.
    ///
    /// - Throws: ``Refusal`` with `bad_signature`, `malformed_value`.
    init(_ answer: SignatureAnswer) throws(Refusal) {
        switch (answer.signature, answer.transaction, answer.hash) {
        case (let text?, nil, nil):
            self = .signature(try Signature.entered(text, field: "signature"))
        case (nil, let text?, nil):
            let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
            guard let bytes = Hex.decode(digits), !bytes.isEmpty else {
                throw Refusal(
                    .badSignature,
                    Sentence("refusal.hexTransaction"),
                    field: "transaction"
                )
            }
            self = .transaction(bytes)
        case (nil, nil, let text?):
            guard let hash = Bytes32(hex: text) else {
                throw Refusal(
                    .badSignature,
                    Sentence("refusal.notAHash", ["text": text.quoted]),
                    field: "hash"
                )
            }
            self = .hash(hash)
        default:
            throw Refusal(.malformedValue, Sentence("refusal.giveOneSignature"), field: "signature")
        }
    }
}
