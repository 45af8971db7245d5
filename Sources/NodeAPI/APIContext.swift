import AccountAccess
import Answers
import Client
import Foundation
import HTTPTypes
import Hummingbird
import Keys
import NIOCore
import NIOHTTPTypes
import Records

/// The caller of a request.
enum Caller: Equatable, Sendable {
    /// Nobody has signed in.
    case anonymous
    /// The person who runs the node, by the token in its data folder.
    case `operator`
    /// A signed-in account.
    case account(Address)
}

/// The context of a request, for middleware and handlers.
struct APIContext: RequestContext {
    /// The maximum size of a request's body, in bytes.
    static let bodyBytesMax = 256 * 1024

    var coreContext: CoreRequestContextStorage
    var caller: Caller = .anonymous
    /// The session that the request has shown.
    var session: SessionID?
    /// The cookie of the browser, if the request comes from a page that this node serves.
    var cookie: PageCookie?
    var place = CallerOrigin.elsewhere("unknown")
    /// Makes every preview warn about the machine's clock.
    var clockWatch = ClockWatch()
    private let channel: any Channel

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The IP address of the other end of the connection.
    var address: String? { channel.remoteAddress?.ipAddress }

    /// The group by which the caller's passwords and new accounts are limited.
    var callerGroup: CallerGroup {
        switch (caller, place) {
        case (.operator, _) where holdsNodeToken: .operator
        case (_, .elsewhere(let network)): .elsewhere(network)
        case (.account(let address), .thisMachine): .thisMachine(address)
        case (.anonymous, .thisMachine), (.operator, .thisMachine): .thisMachine(nil)
        }
    }

    /// Whether the request has the node's token itself, which only a reader of the data folder
    /// knows; the operator's session on the page can be in other hands.
    var holdsNodeToken: Bool { caller == .operator && session == nil }

    var maxUploadSize: Int { Self.bodyBytesMax }
    var requestDecoder: JSONDecoder { WireCoding.decoder() }
    var responseEncoder: JSONEncoder { WireCoding.encoder() }

    /// Returns the signed-in account.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` if nobody is signed in.
    func account() throws -> Address {
        guard case .account(let address) = caller else {
            throw Refusal(.signInNeeded, Sentence("refusal.signInNeeded"))
        }
        return address
    }

    /// Whether the caller may know this node's accounts.
    var isLocal: Bool { place == .thisMachine || caller == .operator }

    /// The signed-in account, if there is one.
    var signedIn: Address? {
        if case .account(let address) = caller { address } else { nil }
    }

    /// Marks the connection as the operator's, so that it keeps its slot at the port.
    func trustConnection() async throws {
        try await ConnectionHandler.place(of: channel)?.trust()
    }

    /// Sends `100 Continue` before the answer.
    func askForBody() async throws {
        let head = HTTPResponse(status: .continue)
        try await channel.writeAndFlush(HTTPResponsePart.head(head))
    }

    /// Runs work that may wait long, and cancels it if the client hangs up.
    ///
    /// A client that only ends its sending side counts as one that hangs up; it still gets the
    /// answer of work that this does not end.
    func whileConnected<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let hangUp = try await ConnectionHandler.hangUp(of: channel) else {
            throw ClientHungUp()
        }
        return try await hangUp.during(body)
    }

    /// Returns the `{id}` of the path, without the encoding of URLs.
    ///
    /// - Throws: ``Refusal`` if it is not text.
    func id() throws -> String {
        guard let id = try parameters.require("id").removingPercentEncoding else {
            throw Refusal(
                .malformedValue,
                forPrograms: "The id in the path is not text.",
                field: "id"
            )
        }
        return id
    }
}
