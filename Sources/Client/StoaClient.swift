import AsyncHTTPClient
import Concurrency
import Foundation
import NIOCore

/// The API of a node, for programs.
///
/// Contains only the address and the token; copies are equivalent. Calls throw ``Problem`` if the
/// node refuses, and ``ClientError`` if no usable answer comes. A call is tried again only if the
/// connection fails, and only if a repeat can do no harm.
///
/// Calls that move money take `feeMax`: the maximum fees in wei, as ``ActionPreview/feeMax`` showed
/// them. Without it, the node takes the fees at the time of the call. A `preview` of the payment,
/// proceeds and signatures of a call takes the same input as the call.
///
/// ```swift
/// try await StoaClient.scoped(NodeAddress(text: "http://127.0.0.1:8080")) { stranger in
///     let session = try await stranger.signIn(account: "ana", password: password)
///     let ana = stranger.with(token: session.token)
///     let found = try await ana.listings(ListingSearch(text: "bicycle"))
/// }
/// ```
public struct StoaClient: Sendable {
    let exchange: Exchange
    /// How the fees of this client's calls are chosen.
    private(set) var fees = FeeChoice()

    /// The node that is called.
    public var node: NodeAddress { exchange.node }
    public var limits: ClientLimits { exchange.limits }
    var token: String? { exchange.token }

    /// Provides a client for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - node: The address of its API.
    ///   - token: A session's token, or the node's own.
    ///   - limits: Times, attempts and sizes.
    ///   - body: The work to do with the client.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`.
    public static func scoped<Value: Sendable>(
        _ node: NodeAddress,
        token: String? = nil,
        limits: ClientLimits = ClientLimits(),
        _ body: (StoaClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        let connect = limits.connectTimeout
        configuration.timeout.connect = TimeAmount(connect)
        // This library decides whether to try again, because it knows the effect of a repeat.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let exchange = Exchange(
            http: http,
            node: node,
            limits: limits,
            clock: SystemMonotonicClock(),
            token: token
        )
        do {
            let value = try await body(StoaClient(exchange: exchange))
            try await http.shutdown()
            return value
        } catch {
            try await http.shutdown()
            throw error
        }
    }

    /// Returns a client of the same node with another token.
    public func with(token: String?) -> StoaClient {
        var exchange = exchange
        exchange.token = token
        return StoaClient(exchange: exchange).with(fees: fees)
    }

    /// Returns a client whose previews and calls choose their fees so.
    public func with(fees: FeeChoice) -> StoaClient {
        var client = self
        client.fees = fees
        return client
    }

    /// Makes a call.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - id: The value for `{id}` in its path.
    ///   - body: The body, if it takes one.
    ///   - query: Parameters of the query.
    ///   - feeMax: The maximum fees; a preview has those of ``with(fees:)``.
    ///   - key: The key of a call that requires one.
    /// - Returns: The answer.
    /// - Throws: ``Problem``, ``ClientError``.
    @discardableResult
    func call<Input, Output>(
        _ call: APICall<Input, Output>,
        at id: String? = nil,
        _ body: Input? = nil,
        query: [Call.QueryItem] = [],
        feeMax: String? = nil,
        key: IdempotencyKey? = nil
    ) async throws -> Output {
        var request = try Call(call.facts, at: id, query: query)
        request.body = try body.map { [UInt8](try WireCoding.encoder().encode($0)) }
        request.key = key
        let isPreview = Output.self == ActionPreview.self
        request.query += [
            Query.feeMax(isPreview ? fees.ceiling : feeMax),
            Query.feeSpeed(isPreview || feeMax != nil ? fees.speed : .normal),
        ]
        guard let none = NoBody() as? Output else { return try await exchange.perform(request) }
        try await exchange.perform(request)
        return none
    }
}
