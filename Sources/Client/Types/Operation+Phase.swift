public import Foundation
public import Texts

extension Operation {
    /// One step.
    public struct Phase: Codable, Hashable, Sendable, DescribedType {
        public var name: Name
        public var state: State
        /// Useful detail, such as the gas estimated or `2 of 3`.
        public var detail: String?
        /// The same in sentences; `nil` if there is nothing to say.
        public var notes: [Sentence]?
        public var endedAt: Date?

        package static let fields: [String: FieldFacts] = [
            "name": "confirmed", "state": "done", "detail": .detail.example("2 of 3"),
            "notes": .about("The same in sentences."),
        ]

        public init(name: Name, state: State, detail: String? = nil, endedAt: Date? = nil) {
            self.name = name
            self.state = state
            self.detail = detail
            self.endedAt = endedAt
        }

        /// Makes a step with what there is to say of it.
        public init(name: Name, state: State, notes: [Sentence]) {
            let detail = notes.map(\.detail).joined(separator: "; ")
            self.init(name: name, state: state, detail: notes.isEmpty ? nil : detail)
            self.notes = notes.isEmpty ? nil : notes
        }

        /// Which step it is.
        public enum Name: ExtensibleEnumeration {
            /// The contract's answer, gas, fee and balance are asked for.
            case estimate
            case signed
            /// An endpoint has taken the transaction.
            case sent
            case mined
            /// As many blocks as the node asks for are on top.
            case confirmed
            /// The record that belongs to it is published.
            case published
            /// The delivery address of a purchase, or the note of a move, is put into the outbox.
            ///
            /// Its message says how far it has come since.
            case told
            case other(String)

            public static let known: [Name] = [
                .estimate, .signed, .sent, .mined, .confirmed, .published, .told,
            ]

            public var rawValue: String {
                switch self {
                case .estimate: "estimate"
                case .signed: "signed"
                case .sent: "sent"
                case .mined: "mined"
                case .confirmed: "confirmed"
                case .published: "published"
                case .told: "told"
                case .other(let text): text
                }
            }
        }

        /// How it stands.
        public enum State: ExtensibleEnumeration {
            /// Steps before it have not ended.
            case waiting
            case running
            case done
            case failed
            case other(String)

            public static let known: [State] = [.waiting, .running, .done, .failed]

            public var rawValue: String {
                switch self {
                case .waiting: "waiting"
                case .running: "running"
                case .done: "done"
                case .failed: "failed"
                case .other(let text): text
                }
            }
        }
    }
}
