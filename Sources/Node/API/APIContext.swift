import Client
import Foundation
import Hummingbird
import Keys
import NIOCore

/// Who is asking.
enum Caller: Equatable, Sendable {
    /// Nobody has signed in.
    case anonymous
    /// The person who runs the node, by the token in its data folder.
    case `operator`
    /// A signed-in account, and its session's token.
    case account(Address, token: String)
}

/// What travels with a request through middleware and handlers.
struct APIContext: RequestContext {
    /// The most a request's body may hold.
    static let bodyBytesMax = 256 * 1024

    var coreContext: CoreRequestContextStorage
    var caller: Caller = .anonymous
    var place = CallerOrigin.elsewhere("unknown")
    private let channel: any Channel

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The other end of the connection.
    var address: String? { channel.remoteAddress?.ipAddress }

    /// As whom the caller gives passwords.
    var asker: Asker {
        switch (caller, place) {
        case (.operator, _): .operator
        case (_, .elsewhere(let network)): .elsewhere(network)
        case (.account(let address, _), .thisMachine): .thisMachine(address)
        case (.anonymous, .thisMachine): .thisMachine(nil)
        }
    }

    var maxUploadSize: Int { Self.bodyBytesMax }
    var requestDecoder: JSONDecoder { WireCoding.decoder() }
    var responseEncoder: JSONEncoder { WireCoding.encoder() }

    /// The signed-in account.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` if nobody is.
    func account() throws -> Address {
        guard case .account(let address, _) = caller else {
            throw Refusal(
                .signInNeeded,
                "Sign in first. Programs send a session's token as 'Authorization: Bearer <token>'."
            )
        }
        return address
    }

    /// Whether the caller may know this node's accounts.
    var isLocal: Bool { place == .thisMachine || caller == .operator }

    /// The signed-in account, where one is.
    var signedIn: Address? {
        if case .account(let address, _) = caller { address } else { nil }
    }

    /// Does what may wait long, and cancels it if the client hangs up.
    ///
    /// A client that only says that it sends no more counts as one that hangs up; it still gets
    /// the answer of what is not ended by that.
    func whileConnected<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let hangUp = try await ConnectionHandler.hangUp(of: channel) else {
            throw CancellationError()
        }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                await hangUp.wait()
                return nil
            }
            for try await value in group {
                if let value { return value }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }

    /// The `{id}` of the path as it was before it was written into a URL.
    ///
    /// - Throws: ``Refusal`` if it is no text.
    func id() throws -> String {
        guard let id = try parameters.require("id").removingPercentEncoding else {
            throw Refusal(.malformedValue, "The id in the path is no text.", field: "id")
        }
        return id
    }
}
