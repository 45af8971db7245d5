package import Client
package import Keys
package import Market

/// Publishes the record that an operation ends with.
package protocol Publishing: Sendable {
    /// Publishes in the account's name, once however often it is asked.
    ///
    /// - Throws: ``Refusal`` if it will never be published.
    func publish(_ publication: OperationPlan.Publication, by account: Address) async throws
        -> PublishingAnswer

    /// Returns what a wallet outside the node signs, so that the account publishes this.
    ///
    /// - Parameters:
    ///   - publication: What is to be published.
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

    /// What a failure means to the account, in place of what the chain says of it; `nil` if that
    /// says it all.
    func cause(of problem: Problem, in operation: Client.Operation, by account: Address) -> Problem?
}

extension Publishing {
    package func cause(
        of problem: Problem,
        in operation: Client.Operation,
        by account: Address
    ) -> Problem? { nil }
}

/// What became of a publication.
package enum PublishingAnswer: Equatable, Sendable {
    /// It is durable; what every account of the node is told of it, if anything.
    case done(News?)
    /// The account is locked: its key has to sign.
    case locked
    /// The account's key is in a wallet outside the node, which has to sign.
    case unsigned
    /// Not yet, for this reason.
    case later(String)
}
