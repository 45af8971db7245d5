package import Client
package import Keys

/// Publishes the record that an operation ends with.
package protocol Publishing: Sendable {
    /// Publishes in the account's name, once however often it is asked.
    ///
    /// - Throws: ``Refusal`` if it will never be published.
    func publish(_ publication: OperationPlan.Publication, by account: Address) async throws
        -> PublishingAnswer

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
    /// Not yet, for this reason.
    case later(String)
}
