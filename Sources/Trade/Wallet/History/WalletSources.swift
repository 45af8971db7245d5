import Ethereum

/// The endpoints that an account's history is read from: two that have to say the same, or the only
/// one that is configured.
struct WalletSources: Sendable {
    /// The maximum number of endpoints that are asked: two of three decide.
    private static let endpointsMax = 3

    let first: EndpointSession
    let second: EndpointSession?

    /// Returns the usable endpoints, at most three.
    ///
    /// - Throws: ``EthereumError`` if no endpoint is usable.
    static func sessions(of client: ChainClient) async throws -> [EndpointSession] {
        var sessions = [try await client.session()]
        while sessions.count < endpointsMax,
            let next = try await client.another(than: Set(sessions.map(\.name)))
        {
            sessions.append(next)
        }
        return sessions
    }

    /// Reads with two endpoints, or with another pair of three if these differ or one of them
    /// fails.
    ///
    /// - Returns: `nil` if no two say the same: some are behind, or lie.
    /// - Throws: The errors of `body`; ``EthereumError`` if no endpoint is usable.
    static func read<Value>(
        of client: ChainClient,
        _ body: (WalletSources) async throws -> Value?
    ) async throws -> Value? {
        let sessions = try await sessions(of: client)
        guard await client.reports.count > 1 else {
            return try await body(WalletSources(first: sessions[0], second: nil))
        }
        var failure: EthereumError?
        for (index, second) in sessions.enumerated() {
            for first in sessions[..<index] {
                do {
                    let found = try await body(WalletSources(first: first, second: second))
                    if let found { return found }
                } catch let error as EthereumError {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return nil
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
