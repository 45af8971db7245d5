import Answers
package import Client
package import Concurrency
import Foundation
import Keys
import Market

/// Adds accounts whose keys are in wallets outside the node, for owners who prove that they have
/// the key.
///
/// Source: Docs/protocol.md, section 3.6.
package struct ExternalAccounts: Sendable {
    private let creator: AccountCreator
    private let network: String
    /// The node's peer id, as text.
    private let node: String
    private let clock: any WallClock

    package init(creator: AccountCreator, network: String, node: String, clock: any WallClock) {
        (self.creator, self.network, self.node) = (creator, network, node)
        self.clock = clock
    }

    private var now: UInt64 { UInt64(max(0, clock.unixSeconds)) }

    /// Returns the statement that the owner signs; the node keeps nothing of it.
    ///
    /// - Throws: ``Refusal`` with `bad_address`, `malformed_value`.
    package func statement(for request: ExternalAccountRequest) throws -> ExternalAccountStatement {
        try AccountNameRules.check(request.name)
        let proof = AccountProof(
            network: network,
            node: node,
            account: try Address.entered(request.address, field: "address"),
            name: request.name,
            validUntil: now + AccountProof.lifetime
        )
        return ExternalAccountStatement(
            summary: proof.summary,
            typedData: String(decoding: proof.typedDataJSON, as: UTF8.self),
            validUntil: proof.validUntil
        )
    }

    /// Adds an account with the owner's signature of its statement.
    ///
    /// - Throws: ``Refusal`` with `bad_signature`, `bad_address`, `name_taken`, `weak_password`,
    ///   `malformed_value`.
    package func add(_ creation: ExternalAccountCreation, by caller: CallerGroup) async throws
        -> Account
    {
        try AccountNameRules.check(creation.name)
        try Password.check(creation.password)
        let proof = AccountProof(
            network: network,
            node: node,
            account: try Address.entered(creation.address, field: "address"),
            name: creation.name,
            validUntil: creation.validUntil
        )
        let signature = try Signature.entered(creation.signature, field: "signature")
        guard proof.isProved(by: signature, at: now) else {
            throw Refusal(
                .badSignature,
                Sentence(
                    "refusal.noStatement",
                    [
                        "account": proof.account.checksummed,
                        "minutes": "\(AccountProof.lifetime / 60)",
                    ]
                ),
                field: "signature"
            )
        }
        return try await creator.addExternal(
            proof.account,
            named: creation.name,
            password: creation.password,
            by: caller
        )
    }
}
