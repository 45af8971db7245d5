/// A call of the API: its input and answer, its permitted callers, and its failures.
///
/// The node's router, its document and its checks read it, and so does ``StoaClient``.
package struct APICall<Input: Codable & Sendable, Output: Codable & Sendable>: AnyAPICall {
    package private(set) var facts: CallFacts

    /// Describes a call.
    ///
    /// A good answer has the status 204 if it is empty, 202 if it is an operation that began, and
    /// otherwise 200; see ``created`` and ``upgrading``.
    init(_ method: CallFacts.Method, _ path: String, _ access: Access = .account) {
        let begins = Output.self == Operation.self && method != .get
        facts = CallFacts(
            method: method,
            path: path,
            access: access,
            input: Input.self,
            output: Output.self,
            status: Output.self == NoBody.self ? 204 : begins ? 202 : 200
        )
    }

    /// Describes the call's effect.
    func about(_ summary: String) -> Self { with { $0.summary = summary } }

    /// Adds parameters of the query.
    func taking(_ parameters: any QueryParameter...) -> Self {
        with { $0.query += parameters }
    }

    /// Adds problems beyond those that follow from the call's form.
    func failing(_ codes: Set<ProblemCode>...) -> Self {
        with { facts in for more in codes { facts.ownProblems.formUnion(more) } }
    }

    /// A good answer says that something was created.
    var created: Self { with { $0.status = 201 } }

    /// The call becomes a WebSocket.
    var upgrading: Self { with { $0.status = 101 } }

    /// The call needs `Idempotency-Key`.
    var once: Self { with { $0.isOnce = true } }

    /// The call does not keep the session from going idle.
    var lookingOnly: Self { with { $0.isUse = false } }

    /// The caller chooses the call's fees.
    var withFees: Self { taking(Query.feeMax, Query.feeSpeed) }

    private func with(_ change: (inout CallFacts) -> Void) -> Self {
        var copy = self
        change(&copy.facts)
        return copy
    }
}

extension APICall where Output == ActionPreview {
    /// Describes the estimate of the call at `path`; there is no other estimate of it.
    init(preview path: String, of deed: String) {
        self =
            Self(.post, path + "/preview")
            .about(
                "Estimate \(deed): gas, fee, deposit, total, returns and their times, and the content "
                    + "to sign. Nothing is signed."
            )
            .withFees
    }
}

/// A call of any types.
package protocol AnyAPICall: Sendable {
    var facts: CallFacts { get }
}

/// The body of a call that takes or answers nothing.
package struct NoBody: Codable, Sendable { package init() {} }

/// A body that is a file.
package struct FileBody: Codable, Sendable {}

/// An answer of any JSON object.
package struct JSONObject: Codable, Sendable {}
