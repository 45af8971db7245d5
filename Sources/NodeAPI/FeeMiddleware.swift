import Answers
import Client
import Ethereum
import Hummingbird
import Market
import Trade

/// Reads how a call chooses its fees: `feeSpeed`, and for a preview `feeMax`.
///
/// A preview is computed with the same choice as the call that it previews.
struct FeeMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.query?.contains("fee") == true else {
            return try await next(request, context)
        }
        let query = request.uri.queryParameters
        let requested = RequestedFees(
            speed: FeeSpeed(try query.value(of: Query.feeSpeed)),
            ceiling: try query.value(of: Query.feeMax).map { text throws(Refusal) in
                try Amount.entered(text, field: "feeMax")
            }
        )
        return try await RequestedFees.$current.withValue(requested) {
            try await next(request, context)
        }
    }
}

extension FeeSpeed {
    fileprivate init(_ speed: FeeChoice.Speed) {
        self =
            switch speed {
            case .slow: .slow
            case .normal: .normal
            case .fast: .fast
            }
    }
}
