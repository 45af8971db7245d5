import Answers
import Client
import Foundation
package import Keys
import Market
package import Storage

/// An operation as it is stored: when it began, what its key does not say, and its plan.
extension OperationLog.Entry {
    package var storedBytes: [UInt8] {
        var writer = StoredWriter()
        writer.write(operation.createdAt)
        operation.write(to: &writer)
        writer.write(plan)
        return writer.bytes
    }

    /// Reads the operation under a key of ``Operations``.
    ///
    /// - Throws: ``StoredValueError``.
    package init(
        of key: CompositeKey<Address, Bytes32>,
        storedBytes bytes: [UInt8]
    ) throws(StoredValueError) {
        var reader = StoredReader(bytes)
        account = key.first
        operation = try Client.Operation(key.second, of: account, from: &reader)
        plan = try OperationPlan(from: &reader)
        guard reader.isAtEnd else { throw .trailingBytes }
    }

    /// Reads when a stored operation began.
    static func beginning(in bytes: [UInt8]) throws(StoredValueError) -> Timestamp {
        var reader = StoredReader(bytes)
        return try reader.time()
    }
}

extension Client.Operation {
    fileprivate func write(to writer: inout StoredWriter) {
        writer.write(kind.rawValue)
        writer.write(state.rawValue)
        writer.write(optional: chain) { $0.write($1) }
        writer.write(optional: subject) { $0.write($1) }
        writer.write(UInt64(phases.count))
        for phase in phases { phase.write(to: &writer) }
        writer.write(optional: problem) { $1.write(to: &$0) }
        writer.write(optional: endedAt) { $0.write($1) }
        writer.write(optional: feeMax) { $0.write($1) }
    }

    fileprivate init(
        _ id: Bytes32,
        of account: Address,
        from reader: inout StoredReader
    ) throws(StoredValueError) {
        let createdAt = try reader.date()
        self.init(
            id: id.hex,
            kind: Kind(rawValue: try reader.text()),
            state: State(rawValue: try reader.text()),
            account: account.checksummed,
            chain: try reader.optional { reader throws(StoredValueError) in try reader.number() },
            subject: try reader.optionalText(),
            phases: [],
            problem: nil,
            createdAt: createdAt
        )
        for _ in 0..<(try reader.number()) { phases.append(try Phase(from: &reader)) }
        problem = try reader.optional { reader throws(StoredValueError) in
            try Problem(from: &reader)
        }
        endedAt = try reader.optional { reader throws(StoredValueError) in try reader.date() }
        feeMax = try reader.optionalText()
    }
}

extension Client.Operation.Phase {
    fileprivate func write(to writer: inout StoredWriter) {
        writer.write(name.rawValue)
        writer.write(state.rawValue)
        writer.write(optional: detail) { $0.write($1) }
        writer.write(optional: notes) { $0.write($1) }
        writer.write(optional: endedAt) { $0.write($1) }
    }

    fileprivate init(from reader: inout StoredReader) throws(StoredValueError) {
        self.init(
            name: Name(rawValue: try reader.text()),
            state: State(rawValue: try reader.text()),
            detail: try reader.optionalText()
        )
        notes = try reader.optionalSentences()
        endedAt = try reader.optional { reader throws(StoredValueError) in try reader.date() }
    }
}

extension Problem {
    /// Writes what does not follow from its code.
    fileprivate func write(to writer: inout StoredWriter) {
        writer.write(code)
        writer.write(detail)
        writer.write(optional: reason) { $0.write($1) }
        writer.write(optional: field) { $0.write($1) }
    }

    fileprivate init(from reader: inout StoredReader) throws(StoredValueError) {
        // A code that this version does not know was written by a later one.
        let code = ProblemCode(rawValue: try reader.text()) ?? .internalError
        self = Refusal(code, forPrograms: try reader.text()).problem
        reason = try reader.optionalSentences()
        field = try reader.optionalText()
    }
}

extension StoredReader {
    fileprivate mutating func optionalText() throws(StoredValueError) -> String? {
        try optional { reader throws(StoredValueError) in try reader.text() }
    }

    fileprivate mutating func optionalSentences() throws(StoredValueError) -> [Sentence]? {
        try optional { reader throws(StoredValueError) in try reader.values(of: Sentence.self) }
    }
}
