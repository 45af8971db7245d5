import Answers
import Client
import HTTPTypes
import Hummingbird
import Keys
import Records
import Setup
import Trade

/// A request for a call of the API, as the call's handler sees it.
struct APIRequest<Input: Codable & Sendable>: Sendable {
    let request: Request
    let context: APIContext
    /// Whether only a preview is asked for.
    let isPreview: Bool
    /// Parsed once, because a handler may read several parameters.
    private let query: Parameters

    fileprivate init(_ request: Request, _ context: APIContext, isPreview: Bool) {
        (self.request, self.context, self.isPreview) = (request, context, isPreview)
        query = request.uri.queryParameters
    }

    /// The signed-in account.
    var account: Address { get throws { try context.account() } }

    /// The `{id}` of the path.
    var id: String { get throws { try context.id() } }

    /// The key by which a repeat of the request is recognised.
    var key: String { get throws(Refusal) { try request.idempotencyKey() } }

    /// The body.
    var body: Input { get async throws { try await request.read(context) } }

    /// The maximum fees, in wei.
    var feeMax: String? { get throws(Refusal) { try self[Query.feeMax] } }

    /// The value of a parameter.
    subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(Refusal) { try query.value(of: parameter) }
    }
}

extension Parameters {
    /// Returns the value of a parameter.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    func value<Kind>(of parameter: Parameter<Kind>) throws(Refusal) -> Kind {
        guard let text = self[parameter.name[...]].map({ String($0) }) else {
            return parameter.absent
        }
        guard let value = parameter.read(text) else {
            let reason = parameter.form.refusal(of: text, parameter.name)
            throw Refusal(.malformedValue, reason, field: parameter.name)
        }
        return value
    }
}

extension ValueForm {
    fileprivate func refusal(of text: String, _ name: String) -> Sentence {
        switch self {
        case .flag: Sentence("refusal.trueOrFalse", ["field": name])
        case .numbers(let range, _):
            Sentence(
                "refusal.numberRange",
                ["field": name, "least": "\(range.lowerBound)", "most": "\(range.upperBound)"]
            )
        case .chain: Sentence("refusal.notAChainID", ["text": text.quoted])
        case .oneOf(let texts, _): Self.oneOf(texts, name)
        case .oneOfNumbers(let numbers): Self.oneOf(numbers.map { "\($0)" }, name)
        case .text, .cursor, .lengths, .pattern, .known:
            Sentence("refusal.notAValue", ["field": name])
        }
    }

    private static func oneOf(_ texts: [String], _ name: String) -> Sentence {
        Sentence("refusal.oneOf", ["field": name, "values": texts.joined(separator: ", ")])
    }
}

extension RouterGroup<APIContext> {
    /// Adds the handler of a call, which returns the body of its answer.
    func on<Input, Output>(
        _ call: APICall<Input, Output>,
        _ handle: @escaping @Sendable (APIRequest<Input>) async throws -> Output
    ) {
        answer(call) { request in
            let status = HTTPResponse.Status(code: call.facts.status)
            return try reply(status, try await handle(request), request.context)
        }
    }

    /// Adds the handler of a call whose answer is empty.
    func perform<Input>(
        _ call: APICall<Input, NoBody>,
        _ handle: @escaping @Sendable (APIRequest<Input>) async throws -> Void
    ) {
        answer(call) { request in
            try await handle(request)
            return Response(status: .noContent)
        }
    }

    /// Adds the handler of a preview, which also warns of a clock that differs from others.
    func on<Input>(
        _ call: APICall<Input, ActionPreview>,
        _ handle: @escaping @Sendable (APIRequest<Input>) async throws -> ActionPreview
    ) {
        answer(call) { request in
            var preview = try await handle(request)
            let comparison = await request.context.clockWatch.comparison()
            preview.warnings += comparison.warnings
            return try reply(.ok, preview, request.context)
        }
    }

    /// Adds the handlers of a call that begins an operation, and of its preview.
    func on<Input>(
        _ call: APICall<Input, Client.Operation>,
        preview: APICall<Input, ActionPreview>,
        _ propose:
            @escaping @Sendable (APIRequest<Input>, Address) async throws
            -> ProposedOperation
    ) {
        on(preview) { try await propose($0, $0.account).preview() }
        on(call) { request in
            let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
            return try await propose(request, account).begin(key: key, feeMax: fee)
        }
    }

    /// Adds the handler of a call that makes the whole response.
    func answer<Input, Output>(
        _ call: APICall<Input, Output>,
        _ handle: @escaping @Sendable (APIRequest<Input>) async throws -> Response
    ) {
        let isPreview = Output.self == ActionPreview.self
        on(call.facts) { try await handle(APIRequest($0, $1, isPreview: isPreview)) }
    }

    /// Adds the route of a call.
    func on(
        _ call: CallFacts,
        _ handle: @escaping @Sendable (Request, APIContext) async throws -> Response
    ) {
        let path = RouterPath(call.path)
        guard let method = HTTPRequest.Method(rawValue: call.method.name) else { return }
        on(path, method: method) { try await handle($0, $1) }
    }
}
