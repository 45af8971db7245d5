package import Foundation
package import Keys

/// What a contract can be asked and what it tells: its JSON ABI, read and indexed.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "JSON".
package struct ContractInterface: Sendable {
    package let constructorInputs: [ABIParameter]
    package let functions: [ABIFunction]
    package let events: [ABIEvent]
    package let errors: [ABICustomError]
    /// Whether plain money may be sent to it.
    package let receives: Bool
    package let hasFallback: Bool

    private let eventsByTopic: [Bytes32: ABIEvent]
    private let functionsBySelector: [FunctionSelector: ABIFunction]

    init(entries: [InterfaceEntry]) throws(ContractInterfaceError) {
        var constructorInputs: [ABIParameter] = []
        var (functions, events, errors) =
            ([ABIFunction](), [ABIEvent](), [ABICustomError]())
        var (receives, hasFallback) = (false, false)
        for entry in entries {
            switch entry.kind {
            case .constructor: constructorInputs = try entry.parsedInputs()
            case .function: functions.append(try entry.function())
            case .event: events.append(try entry.event())
            case .error: errors.append(try entry.error())
            case .receive: receives = true
            case .fallback: hasFallback = true
            }
        }
        self.constructorInputs = constructorInputs
        (self.functions, self.events, self.errors) = (functions, events, errors)
        (self.receives, self.hasFallback) = (receives, hasFallback)
        let topics = events.filter { !$0.isAnonymous }.map { ($0.topic, $0) }
        eventsByTopic = Dictionary(topics) { first, _ in first }
        functionsBySelector = Dictionary(functions.map { ($0.selector, $0) }) { first, _ in first }
    }

    /// Reads a JSON ABI.
    package init(json: some DataProtocol) throws(ContractInterfaceError) {
        let entries: [InterfaceEntry]
        do {
            entries = try JSONDecoder().decode([InterfaceEntry].self, from: Data(json))
        } catch {
            throw .malformed(String(describing: error))
        }
        try self.init(entries: entries)
    }

    /// The only function of this name, or the one with this signature where the name is shared.
    ///
    /// - Throws: ``ABIError/unknown(_:)`` for none, and for a name that several have.
    package func function(_ name: String) throws(ABIError) -> ABIFunction {
        try only(functions.filter { $0.name == name || $0.signature == name }, name)
    }

    package func function(_ selector: FunctionSelector) -> ABIFunction? {
        functionsBySelector[selector]
    }

    /// The only event of this name, or the one with this signature where the name is shared.
    package func event(_ name: String) throws(ABIError) -> ABIEvent {
        try only(events.filter { $0.name == name || $0.signature == name }, name)
    }

    /// The event of which a log with this first topic is.
    package func event(topic: Bytes32) -> ABIEvent? { eventsByTopic[topic] }

    /// Writes creation code with the constructor's arguments behind it.
    package func creation(
        bytecode: [UInt8],
        _ arguments: [ABIValue]
    ) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: constructorInputs.map(\.type), after: bytecode)
    }

    /// Reads why a call to this contract failed.
    package func revertReason(_ data: [UInt8]) -> RevertReason {
        RevertReason(data: data, declared: errors)
    }

    private func only<Entry>(_ found: [Entry], _ name: String) throws(ABIError) -> Entry {
        guard found.count == 1, let entry = found.first else { throw .unknown(name) }
        return entry
    }
}

/// Why a text is not a contract's interface.
package enum ContractInterfaceError: Error, Equatable, Sendable {
    /// Not JSON of the right shape; the words are the JSON reader's.
    case malformed(String)
    case type(ABITypeError)
    /// An entry lacks a name, or a tuple its parts; the words say which.
    case incomplete(String)
}
