package import AccountAccess
package import Client
package import Foundation
package import Keys
package import Market

/// Publishes the record that an operation ends with, or sends the messages.
package protocol Publishing: Sendable {
    /// Publishes in the account's name, once however often it is asked.
    ///
    /// - Throws: ``Refusal`` if it will never be published.
    func publish(_ publication: OperationPlan.Publication, by account: Address) async throws
        -> PublishingAnswer

    /// Returns those records of an operation that failed midway that are to be published
    /// nevertheless, because the chain shows the sales that they name.
    ///
    /// - Returns: Nothing if none of those sales is new.
    func begun(
        _ publications: [OperationPlan.Publication],
        by account: Address
    ) throws -> [OperationPlan.Publication]

    /// Returns the content that a wallet outside the node signs, so that the account publishes
    /// this.
    ///
    /// - Parameters:
    ///   - publication: The record to publish.
    ///   - account: Its author.
    ///   - time: When its operation was begun; the same time gives the same draft.
    /// - Returns: `nil` if it cannot be published yet, or is published already.
    /// - Throws: ``Refusal`` if it will never be published.
    func draft(
        of publication: OperationPlan.Publication,
        by account: Address,
        at time: Timestamp
    ) throws -> RecordDraft?

    /// Publishes a draft with the signature of its author's wallet.
    ///
    /// - Throws: ``Refusal`` with `bad_signature`, or if it will never be published.
    func publish(_ draft: RecordDraft, with signature: Signature) async throws

    /// Sends others in a sale what an operation discloses, only once even if called several times.
    ///
    /// - Throws: ``Refusal`` if it will never be sent.
    func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of operation: FinalOperation
    ) async throws -> PublishingAnswer

    /// The meaning of a failure to the account, instead of the chain's reason; `nil` if that reason
    /// is enough.
    func cause(
        of problem: Problem,
        in operation: Client.Operation,
        _ plan: OperationPlan,
        by account: Address
    ) -> Problem?
}

extension Publishing {
    package func begun(
        _ publications: [OperationPlan.Publication],
        by account: Address
    ) throws -> [OperationPlan.Publication] { [] }

    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        _ plan: OperationPlan,
        by account: Address
    ) -> Problem? { nil }
}

/// An operation in a sale whose transactions are final.
package struct FinalOperation: Sendable {
    package let account: Address
    /// The chain of the sale; `nil` is the node's only one.
    package let chain: ChainID?
    /// When its operation was begun.
    package let begunAt: Date
    /// The height at which it was mined; `nil` if that is no longer known.
    package let height: UInt64?
    /// The hash of its last transaction; `nil` if that is no longer known.
    package let transaction: Bytes32?

    package init(
        account: Address,
        chain: ChainID?,
        begunAt: Date,
        height: UInt64?,
        transaction: Bytes32?
    ) {
        (self.account, self.chain, self.begunAt) = (account, chain, begunAt)
        (self.height, self.transaction) = (height, transaction)
    }
}

/// The result of a publication.
package enum PublishingAnswer: Equatable, Sendable {
    /// It is durable; the event for every account of the node, if any.
    case done(News?)
    /// The account is locked: its key has to sign.
    case locked
    /// The account's key is in a wallet outside the node, which has to sign.
    case unsigned
    /// Not yet, for these reasons.
    case later([Sentence])
}
