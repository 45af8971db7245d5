package import Foundation
package import Keys

/// A contract's functions, events and errors, read from its JSON ABI.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification", "JSON".
package struct ContractInterface: Sendable {
    package let constructorInputs: [ABIParameter]
    package let functions: [ABIFunction]
    package let events: [ABIEvent]
    package let errors: [ABICustomError]
    /// Whether it has a `receive` function for plain transfers of the native currency.
    package let receives: Bool
    package let hasFallback: Bool

    private let eventsByTopic: [Bytes32: ABIEvent]
    private let functionsBySelector: [FunctionSelector: ABIFunction]
    /// By names and by signatures; overloaded functions share a name.
    private let functionsByName: [String: [ABIFunction]]

    package init(entries: [InterfaceEntry]) throws(ContractInterfaceError) {
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
        functionsByName = Dictionary(grouping: functions, by: \.name)
            .merging(Dictionary(grouping: functions, by: \.signature)) { names, _ in names }
    }

    /// Parses a JSON ABI.
    package init(json: some DataProtocol) throws(ContractInterfaceError) {
        let entries: [InterfaceEntry]
        do {
            entries = try JSONDecoder().decode([InterfaceEntry].self, from: Data(json))
        } catch {
            throw .malformed(String(describing: error))
        }
        try self.init(entries: entries)
    }

    /// Returns the only function of this name, or the function with this signature.
    ///
    /// - Throws: ``ABIError/unknown(_:)`` if there is none, or several have the name.
    package func function(_ name: String) throws(ABIError) -> ABIFunction {
        try only(functionsByName[name] ?? [], name)
    }

    package func function(_ selector: FunctionSelector) -> ABIFunction? {
        functionsBySelector[selector]
    }

    /// Returns the only event of this name, or the event with this signature.
    package func event(_ name: String) throws(ABIError) -> ABIEvent {
        try only(events.filter { $0.name == name || $0.signature == name }, name)
    }

    /// Returns the event with this first topic.
    package func event(topic: Bytes32) -> ABIEvent? { eventsByTopic[topic] }

    /// Encodes creation code, followed by the constructor's arguments.
    package func creation(
        bytecode: [UInt8],
        _ arguments: [ABIValue]
    ) throws(ABIError) -> [UInt8] {
        try ABI.encode(arguments, as: constructorInputs.map(\.type), after: bytecode)
    }

    private func only<Entry>(_ found: [Entry], _ name: String) throws(ABIError) -> Entry {
        guard found.count == 1, let entry = found.first else { throw .unknown(name) }
        return entry
    }
}

/// Why a text is not a contract's JSON ABI.
package enum ContractInterfaceError: Error, Equatable, Sendable {
    /// It is not JSON of the right shape; the text is the JSON decoder's message.
    case malformed(String)
    case type(ABITypeError)
    /// A part is missing or unknown, such as a name or a tuple's parts; the text names it.
    case incomplete(String)
}
