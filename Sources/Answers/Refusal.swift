package import Client
package import Storage

/// The reason why a service refuses a request, in words that say what to do next.
///
/// The only error that services throw to the API; it becomes a ``Problem`` on the wire.
package struct Refusal: Error, Equatable, Sendable {
    package let code: ProblemCode
    /// The reason in sentences; `nil` if only the author of a program can do something about it.
    package let reason: [Sentence]?
    package let detail: String
    /// The field of the request at fault.
    package let field: String?
    /// When to try again, for a refusal that passes with time.
    package let retryAfter: Duration?

    /// Refuses for a fault in a program, such as JSON that cannot be read, which no person can
    /// mend.
    package init(
        _ code: ProblemCode,
        forPrograms detail: String,
        field: String? = nil,
        retryAfter: Duration? = nil
    ) {
        (self.code, reason, self.detail) = (code, nil, detail)
        (self.field, self.retryAfter) = (field, retryAfter)
    }

    /// Refuses for a reason that a person reads.
    package init(
        _ code: ProblemCode,
        _ reason: [Sentence],
        field: String? = nil,
        retryAfter: Duration? = nil
    ) {
        (self.code, self.reason, detail) = (code, reason, reason.detail)
        (self.field, self.retryAfter) = (field, retryAfter)
    }

    /// As ``init(_:_:field:retryAfter:)``, with sentences one by one.
    package init(
        _ code: ProblemCode,
        _ reason: Sentence...,
        field: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.init(code, reason, field: field, retryAfter: retryAfter)
    }

    /// Refuses a listing that this node does not have.
    package static func unknownListing(_ listing: String) -> Refusal {
        Refusal(
            .unknownListing,
            Sentence("refusal.unknownListing", ["listing": listing]),
            field: "listing"
        )
    }

    /// The message to a caller if the store has failed.
    package init(_ error: StorageError) {
        switch error {
        case .mapFull: self.init(.storeFull, Sentence("refusal.storeFull"))
        case .diskFull: self.init(.storeFull, Sentence("refusal.diskFull"))
        case .stopped: self.init(.shuttingDown, Sentence("refusal.stopping"))
        default: self.init(.internalError, Sentence("refusal.storeFailed"))
        }
    }

    package var problem: Problem {
        Problem(
            type: "urn:stoa:problem:\(code.rawValue)",
            title: code.title,
            status: code.status,
            detail: detail,
            reason: reason,
            code: code.rawValue,
            field: field
        )
    }
}
