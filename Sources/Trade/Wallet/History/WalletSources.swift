import Ethereum

/// The endpoints that an account's history is read from: two that have to say the same, or the only
/// one that answers.
struct WalletSources: Sendable {
    let first: EndpointSession
    let second: EndpointSession?

    /// - Throws: ``EthereumError`` if no endpoint is usable.
    init(of client: ChainClient) async throws {
        first = try await client.session()
        second = try await client.second(to: first)
    }

    /// Asks both.
    ///
    /// - Returns: `nil` if they differ: one is behind, or lies.
    /// - Throws: ``EthereumError``.
    func answers<Answer: Equatable>(to calls: [RPCCall<Answer>]) async throws -> [Answer]? {
        let answers = try await first.perform(calls)
        return try await areSaid(answers, to: calls) ? answers : nil
    }

    /// Asks both; see ``answers(to:)``.
    func answer<Answer: Equatable>(to call: RPCCall<Answer>) async throws -> Answer? {
        try await answers(to: [call])?.first
    }

    /// Returns whether the second endpoint says the same as the first one has said.
    func areSaid<Answer: Equatable>(
        _ answers: [Answer],
        to calls: [RPCCall<Answer>]
    ) async throws -> Bool {
        guard let second else { return true }
        return try await second.perform(calls) == answers
    }
}
