import Answers
import Client
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Setup
import Storage

/// Turns every error of a handler into a problem document.
///
/// Source: RFC 9457; Docs/api.md, section 1.1.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await Store.$waitsForRoom.withValue(false) {
                try await next(request, context)
            }
        } catch let refusal as Refusal {
            return try Self.response(to: refusal)
        } catch let error as DecodingError {
            return try Self.response(to: Self.refusal(of: error))
        } catch let error as HTTPError {
            let methods = API.methods(at: request.uri.path)
            guard error.status == .notFound, !methods.isEmpty else {
                return try Self.response(to: Self.refusal(of: error, at: request))
            }
            return try Self.notAllowed(request, methods)
        } catch is NIOTooManyBytesError {
            return try Self.response(to: .bodyTooLarge)
        } catch let error as StorageError {
            context.logger.log(
                level: Self.level(of: error),
                "store failed",
                metadata: ["error": "\(error)"]
            )
            return try Self.response(to: Refusal(error))
        } catch let error where error is HTTPParserError || error is ChannelError {
            return try Self.response(to: Self.refusal(ofBody: error, context))
        } catch is ClientHungUp {
            let detail = "The connection's sending side ended before the answer; keep it open."
            return try Self.response(to: Refusal(.malformedValue, forPrograms: detail))
        } catch is CancellationError where Task.isCancelled || Task.isShuttingDownGracefully {
            return try Self.response(to: Refusal(.shuttingDown, Sentence("refusal.stopping")))
        } catch {
            context.logger.error("request failed", metadata: ["error": "\(error)"])
            return try Self.response(to: Refusal(.internalError, Sentence("refusal.internalError")))
        }
    }

    /// A full store refuses each addition; housekeeping logs the lack of room, once an hour.
    static func level(of error: StorageError) -> Logger.Level {
        error.isLackOfRoom ? .debug : .error
    }

    /// Returns the answer to a refused call.
    ///
    /// A refusal that people read names a field of the document; another one can name what the
    /// request has.
    static func response(to refusal: Refusal) throws -> Response {
        assert(
            refusal.reason == nil || refusal.field.map(APIDocument.describes) ?? true,
            "the document has no field '\(refusal.field ?? "")'"
        )
        let reason = ("reason", refusal.code.rawValue)
        Counter(label: "stoa_api_refused", dimensions: [reason]).increment()
        let body = try WireCoding.encoder().encode(refusal.problem)
        var headers: HTTPFields = [.contentType: "application/problem+json"]
        if let wait = refusal.retryAfter {
            headers[.retryAfter] = String(max(1, wait.components.seconds))
        }
        if refusal.code == .upgradeNeeded {
            headers[.upgrade] = "websocket"
            // RFC 6455, section 4.4.
            if let version = HTTPField.Name("Sec-WebSocket-Version") {
                headers[version] = EventSocket.version
            }
        }
        // The rest of the body is not read.
        if refusal.code == .bodyTooLarge { headers[.connection] = "close" }
        return Response(
            status: HTTPResponse.Status(code: refusal.code.status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }

    /// Source: RFC 9110, section 15.5.6.
    private static func notAllowed(_ request: Request, _ methods: [String]) throws -> Response {
        let names = methods.joined(separator: ", ")
        var response = try response(
            to: Refusal(
                .methodNotAllowed,
                forPrograms:
                    "\(request.uri.path.quoted) does not take \(request.method); it takes \(names)."
            )
        )
        response.headers[.allow] = names
        return response
    }

    private static func refusal(of error: DecodingError) -> Refusal {
        func path(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            (context.codingPath + [last].compactMap { $0 })
                .map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
                .joined(separator: ".")
        }
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.isEmpty ? "The body" : path(context).quoted
        }
        return switch error {
        case .keyNotFound(let key, let context):
            Refusal(
                .malformedValue,
                forPrograms: "\(path(context, key).quoted) is missing.",
                field: path(context, key)
            )
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            Refusal(
                .malformedValue,
                forPrograms: "\(place(context)) must be \(words(for: type)).",
                field: path(context)
            )
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            Refusal(.malformedJSON, forPrograms: "The body is not valid JSON.")
        case .dataCorrupted(let context):
            Refusal(
                .malformedValue,
                forPrograms: "\(place(context)) is out of range or not a valid value.",
                field: path(context)
            )
        @unknown default:
            Refusal(.malformedJSON, forPrograms: "The body is not valid for this call.")
        }
    }

    /// Returns the JSON name of a type.
    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Date.Type: "a time such as 2026-01-31T12:00:00.000Z"
        default: "\(type)".hasPrefix("Array<") ? "a list" : "an object"
        }
    }

    /// Refuses a body that ends early or is not HTTP, which only the debug log reports.
    private static func refusal(ofBody error: any Error, _ context: APIContext) -> Refusal {
        context.logger.debug("body not readable", metadata: ["error": "\(error)"])
        return Refusal(.malformedJSON, forPrograms: "The body is incomplete, or not HTTP.")
    }

    private static func refusal(of error: HTTPError, at request: Request) -> Refusal {
        switch error.status {
        case .notFound:
            Refusal(
                .notFound,
                forPrograms: "There is nothing at \(request.uri.path.quoted); see /v1/openapi.json."
            )
        case .contentTooLarge:
            .bodyTooLarge
        case .unsupportedMediaType:
            Refusal(
                .unsupportedMediaType,
                forPrograms: "Send JSON, with 'Content-Type: application/json'."
            )
        default:
            Refusal(
                .malformedJSON,
                forPrograms: error.body ?? "The body is not valid for this call."
            )
        }
    }
}
