import Answers
import Client
import Ethereum
import Keys
import Market

/// Something that an account's wallet has to sign, so that an operation continues.
struct UnsignedOperation: Sendable {
    enum Content: Sendable {
        case transaction(WalletRequest)
        case record(RecordDraft)
    }

    let operation: Client.Operation
    let content: Content
}

/// The operations that wait for wallets of externally signing accounts, and what the wallets sign.
///
/// It is stateless: the publisher and the senders check a signature against what they ask for then.
struct UnsignedOperations: Sendable {
    let runner: OperationRunner

    private var log: OperationLog { runner.log }

    /// Returns what waits for the account's wallet, the oldest first.
    func all(of account: Address) async throws -> [UnsignedOperation] {
        var found: [UnsignedOperation] = []
        for id in try await runner.resumed().order {
            guard let entry = await runner.book[id], entry.account == account else { continue }
            if let content = try await unsigned(entry) {
                found.append(UnsignedOperation(operation: entry.operation, content: content))
            }
        }
        return found
    }

    /// Returns the signature request of one operation.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`, or `move_not_open` if it waits for nothing.
    func unsigned(in id: String, of account: Address) async throws -> UnsignedOperation {
        let operation = try log.entry(id, account: account).operation
        guard let entry = try await runner.resumed()[operation.id],
            let content = try await unsigned(entry)
        else { throw Self.nothingAsked }
        return UnsignedOperation(operation: operation, content: content)
    }

    /// Accepts the account's wallet's signature, if it matches the request.
    ///
    /// - Returns: The operation, which continues.
    /// - Throws: ``Refusal`` with `bad_signature`, `unknown_operation`, `move_not_open`,
    ///   `chain_away`.
    func take(
        _ answer: WalletAnswer,
        for id: String,
        by account: Address
    ) async throws -> Client.Operation {
        let unsigned = try await unsigned(in: id, of: account)
        switch (unsigned.content, answer) {
        case (.record(let draft), .signature(let signature)):
            try await runner.publishing.publish(draft, with: signature)
        case (.record, _):
            throw Refusal(.badSignature, Sentence("refusal.listingIsSigned"), field: "signature")
        case (.transaction(let request), _):
            try await take(answer, for: request.slot.intent, in: unsigned.operation, by: account)
        }
        runner.inbox.look()
        return try log.entry(id, account: account).operation
    }

    private func unsigned(_ entry: OpenOperation) async throws -> UnsignedOperation.Content? {
        if !entry.plan.steps.isEmpty, entry.progress?.phase.isEnd != true {
            return try await runner.sender(of: entry)?.walletRequest(of: entry.intent).map {
                .transaction($0)
            }
        }
        guard entry.operation.state == .needsSignature else { return nil }
        let time = Timestamp(entry.operation.createdAt)
        // Of an operation that failed midway, only listings with a sale are ready.
        for publication in entry.plan.publications {
            let draft = try runner.publishing.draft(of: publication, by: entry.account, at: time)
            if let draft { return .record(draft) }
        }
        return nil
    }

    private func take(
        _ answer: WalletAnswer,
        for intent: IntentID,
        in operation: Client.Operation,
        by account: Address
    ) async throws {
        do {
            let chain = operation.chain.map { ChainID($0) }
            guard let sender = try await runner.senders.sender(of: account, on: chain) else {
                throw Self.nothingAsked
            }
            try await sender.take(answer, for: intent)
        } catch IntentError.nothingAsked {
            throw Self.nothingAsked
        } catch IntentError.unknownTransaction(let hash) {
            throw Refusal(
                .badSignature,
                Sentence("refusal.transactionUnknown", ["hash": "\(hash)"]),
                field: "hash",
                retryAfter: .seconds(5)
            )
        } catch let fault as AskedTransactionFault {
            throw Refusal(.badSignature, fault.reason)
        } catch let error as EthereumError {
            throw Refusal(.chainAway, error.reason)
        }
    }

    private static var nothingAsked: Refusal {
        Refusal(.moveNotOpen, Sentence("refusal.nothingAsked"))
    }
}
