public import Foundation

/// Long work, step by step; it goes on after a restart of the node.
public struct Operation: Codable, Hashable, Sendable {
    public var id: String
    /// `list`, `edit`, `withdraw`, `buy`, `move` or `collect`.
    public var kind: String
    /// `running`, `needs_unlock`, `done` or `failed`.
    public var state: String
    public var account: String
    /// The listing or sale it is about.
    public var subject: String?
    public var phases: [Phase]
    /// Why it failed.
    public var problem: Problem?
    public var createdAt: Date
    /// The most that the fees of all its transactions together can be, in wei; `nil` if it sends
    /// none.
    public var feeMax: String?

    public init(
        id: String,
        kind: String,
        state: String,
        account: String,
        subject: String?,
        phases: [Phase],
        problem: Problem?,
        createdAt: Date,
        feeMax: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.account = account
        self.subject = subject
        self.phases = phases
        self.problem = problem
        self.createdAt = createdAt
        self.feeMax = feeMax
    }

    /// One step.
    public struct Phase: Codable, Hashable, Sendable {
        /// `estimate`, `signed`, `sent`, `mined`, `confirmed` or `published`.
        public var name: String
        /// `waiting`, `running`, `done` or `failed`.
        public var state: String
        /// What is worth saying, such as the gas reckoned or `2 of 3`.
        public var detail: String?
        public var endedAt: Date?

        public init(name: String, state: String, detail: String? = nil, endedAt: Date? = nil) {
            self.name = name
            self.state = state
            self.detail = detail
            self.endedAt = endedAt
        }
    }
}
