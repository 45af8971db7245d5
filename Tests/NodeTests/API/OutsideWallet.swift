import Client
import Foundation
import Keys
import Market
import Setup
import Support
import Testing

/// A wallet outside the node: it signs what it is asked for, and knows nothing of the node.
struct OutsideWallet {
    let client: StoaClient
    let key: PrivateKey

    /// Adds an account for the wallet's key to a node, and signs in.
    static func add(
        _ key: PrivateKey,
        as name: String,
        to node: TestNode
    ) async throws -> Session {
        let address = try NodeAddress(text: node.running.api)
        return try await StoaClient.scoped(address, token: nil) { client in
            let statement = try await client.statement(
                for: ExternalAccountRequest(name: name, address: key.address.checksummed)
            )
            let digest = try TypedData(json: Data(statement.typedData.utf8)).digest
            let creation = ExternalAccountCreation(
                name: name,
                address: key.address.checksummed,
                password: "correct horse",
                validUntil: statement.validUntil,
                signature: "0x" + Hex.encode(key.sign(digest).bytes)
            )
            let account = try await client.addAccount(creation)
            #expect(account.signsElsewhere == true)
            return try await client.signIn(account: name, password: "correct horse")
        }
    }

    /// Waits until an operation asks for a signature.
    func request(_ operation: Client.Operation) async throws -> SignatureRequest {
        try await waitFor {
            let now = try await client.operation(operation.id)
            try #require(now.isRunning, "\(now)")
            guard now.state == .needsSignature else { return nil }
            return try await client.signatureRequests().first { $0.operation == operation.id }
        }
    }

    /// Answers each request of an operation until it ends.
    ///
    /// - Returns: The operation, and what was signed, in words.
    func carryOut(
        _ operation: Client.Operation,
        _ sign: (SignatureRequest) async throws -> SignatureAnswer
    ) async throws -> (operation: Client.Operation, words: [[String]]) {
        var words: [[String]] = []
        return try await waitFor {
            let now = try await client.operation(operation.id)
            guard now.isRunning else { return (now, words) }
            guard now.state == .needsSignature,
                let request = try await client.signatureRequests()
                    .first(where: { $0.operation == operation.id })
            else { return nil }
            words.append(request.words.map(\.detail))
            _ = try await client.give(try await sign(request), operation: operation.id)
            // It may take a moment until the operation shows that it goes on.
            try await waitUntil { try await !client.signatureRequests().contains(request) }
            return nil
        }
    }

    func signature(_ request: SignatureRequest) throws -> SignatureAnswer {
        if let typedData = request.typedData {
            let digest = try TypedData(json: Data(typedData.utf8)).digest
            return SignatureAnswer(signature: "0x" + Hex.encode(key.sign(digest).bytes))
        }
        let text = try #require(request.transaction?.unsigned)
        let hash = Keccak256.hash(try #require(Hex.decode(String(text.dropFirst(2)))))
        return SignatureAnswer(signature: "0x" + Hex.encode(key.sign(hash).bytes))
    }
}

extension ProblemCode {
    /// Returns the code with which a call is refused; `nil` if it is not.
    static func refusing(_ call: () async throws -> Void) async throws -> ProblemCode? {
        do {
            try await call()
            return nil
        } catch let problem as Problem {
            return ProblemCode(rawValue: problem.code)
        }
    }
}
