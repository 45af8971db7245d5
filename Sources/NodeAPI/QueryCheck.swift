import Answers
import Client
import Foundation
import Hummingbird
import Keys
import Setup

/// Refuses a query with a parameter that is unknown, repeated or not text.
///
/// A parameter that is ignored would silently change the request, such as a mistyped `limit` or
/// `priceMax`. Source: Docs/api.md, section 1.1.
struct QueryCheck: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try Self.checkMarks(of: request)
        let call = API.find(request.method.rawValue, at: request.uri.path)
        if let call { try Self.check(request.uri.query, of: call) }
        return try await next(request, context)
    }

    /// Refuses a path or query with long runs of combining marks; see ``MarkRuns``.
    ///
    /// Each part is decoded alone, as the router does it: one that cannot be decoded hides no
    /// other.
    private static func checkMarks(of request: Request) throws(Refusal) {
        let text = request.uri.string
        guard text.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return }
        for part in text.unicodeScalars.split(whereSeparator: "/?&=#".unicodeScalars.contains) {
            let part = String(part)
            guard MarkRuns.areShort(in: (part.removingPercentEncoding ?? part).utf8) else {
                throw .tooManyMarks("refusal.marksInAddress")
            }
        }
    }

    /// - Throws: ``Refusal`` with `malformed_value` and the parameter at fault.
    static func check(_ query: String?, of call: CallFacts) throws(Refusal) {
        guard let query, !query.isEmpty else { return }
        var names: Set<String> = []
        for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // As the router reads it: names are not decoded.
            let name = parts.first.map(String.init) ?? ""
            guard call.query.contains(where: { $0.name == name }) else {
                let taken = call.query.map(\.name).joined(separator: ", ")
                throw Refusal(
                    .malformedValue,
                    forPrograms: "This call has no parameter \(name.quoted); "
                        + (taken.isEmpty ? "it has none at all." : "it has \(taken)."),
                    field: UntrustedText.line(name)
                )
            }
            guard parts.count == 2,
                !parts[1].utf8.contains(UInt8(ascii: "%"))
                    || parts[1].removingPercentEncoding != nil
            else {
                throw Refusal(
                    .malformedValue,
                    forPrograms: "'\(name)' needs a value in UTF-8, written as \(name)=….",
                    field: name
                )
            }
            guard names.insert(name).inserted else {
                throw Refusal(
                    .malformedValue,
                    forPrograms: "'\(name)' is given twice; give it once.",
                    field: name
                )
            }
        }
    }
}
