package import Contracts
package import Foundation
package import Keys
package import Market

/// What an operation needs to be carried out, now or after a restart: transactions, and a record
/// to publish once they are final.
package struct OperationPlan: Codable, Hashable, Sendable {
    /// The kinds of operation that are errands.
    package enum Kind: String, CaseIterable, Sendable {
        case list, edit, withdraw, buy, move, collect
    }

    /// One transaction, as the API writes amounts and addresses.
    package struct Step: Codable, Hashable, Sendable {
        /// `nil` makes a contract, which no errand does.
        package let to: String?
        package let value: String
        package let data: Data
    }

    /// A record to publish in the account's name.
    package struct Publication: Codable, Hashable, Sendable {
        package let kind: UInt8
        package let slot: String
        /// Empty in a withdrawal that names no sale.
        package let payload: Data

        package init(kind: RecordKind, slot: Bytes32, payload: [UInt8]) {
            (self.kind, self.slot) = (kind.rawValue, slot.hex)
            self.payload = Data(payload)
        }

        package var key: (kind: RecordKind, slot: Bytes32)? {
            guard let kind = RecordKind(rawValue: kind), let slot = Bytes32(hex: slot) else {
                return nil
            }
            return (kind, slot)
        }
    }

    /// For logs, such as `buy`.
    package let purpose: String
    package let steps: [Step]
    package let publication: Publication?
    /// What each step's fee may be at most, in wei; `nil` in what was begun without a bound.
    package let feesMax: [String]?

    package init(
        purpose: String,
        steps: [Intent.Step],
        feesMax: [Amount]? = nil,
        publication: Publication? = nil
    ) {
        self.feesMax = feesMax?.map(\.decimal)
        self.purpose = purpose
        self.steps = steps.map {
            Step(to: $0.to?.checksummed, value: $0.value.decimal, data: Data($0.data))
        }
        self.publication = publication
    }

    /// The phases its operation goes through.
    package var phases: [OperationPhase] {
        (steps.isEmpty ? [] : OperationPhase.onChain) + (publication == nil ? [] : [.published])
    }

    /// What is handed to the sender; the same for the same operation, so that a restart cannot do
    /// it twice.
    package func intent(operation id: String) throws -> Intent {
        let feesMax = (feesMax ?? []).compactMap { Amount(decimal: $0) }
        guard feesMax.isEmpty || feesMax.count == steps.count else {
            throw OperationError.malformed
        }
        return Intent(
            id: Self.intentID(operation: id),
            purpose: purpose,
            steps: try steps.map { step in
                guard let value = Amount(decimal: step.value) else {
                    throw OperationError.malformed
                }
                return Intent.Step(
                    to: try step.to.map { try Address(text: $0) },
                    value: value,
                    data: [UInt8](step.data)
                )
            },
            feesMax: feesMax
        )
    }

    package static func intentID(operation id: String) -> IntentID {
        IntentID(Keccak256.hash([UInt8]("stoa operation ".utf8) + [UInt8](id.utf8)))
    }

    package var bytes: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }

    package init(bytes: Data) throws {
        self = try JSONDecoder().decode(OperationPlan.self, from: bytes)
    }
}

/// What an operation's details hold instead of an errand.
package enum OperationError: Error, Equatable, Sendable {
    case malformed
}

/// A step of an operation as people see it; raw values are the API's.
package enum OperationPhase: String, CaseIterable, Sendable {
    case estimate, signed, sent, mined, confirmed, published

    package static let onChain: [OperationPhase] = [.estimate, .signed, .sent, .mined, .confirmed]
}
