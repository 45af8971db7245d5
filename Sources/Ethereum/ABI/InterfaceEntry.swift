/// One entry of a JSON ABI, not yet checked.
package struct InterfaceEntry: Decodable {
    enum Kind: String, Decodable {
        case constructor, function, event, error, receive, fallback
    }

    struct Parameter: Decodable {
        let name: String?
        let type: String
        let components: [Parameter]?
        let indexed: Bool?
    }

    let type: Kind?
    let name: String?
    let inputs: [Parameter]?
    let outputs: [Parameter]?
    let stateMutability: String?
    let anonymous: Bool?

    /// The kind of entry; a missing type means a function, as the specification says.
    var kind: Kind { type ?? .function }

    func function() throws(ContractInterfaceError) -> ABIFunction {
        let word = stateMutability ?? "nonpayable"
        guard let mutability = ABIFunction.Mutability(rawValue: word) else {
            throw .incomplete("stateMutability \(word)")
        }
        return ABIFunction(
            name: try checkedName(),
            inputs: try parsedInputs(),
            outputs: try Self.parse(outputs ?? []),
            mutability: mutability
        )
    }

    func event() throws(ContractInterfaceError) -> ABIEvent {
        ABIEvent(
            name: try checkedName(),
            inputs: try parsedInputs(),
            isAnonymous: anonymous ?? false
        )
    }

    func error() throws(ContractInterfaceError) -> ABICustomError {
        ABICustomError(name: try checkedName(), inputs: try parsedInputs())
    }

    func parsedInputs() throws(ContractInterfaceError) -> [ABIParameter] {
        try Self.parse(inputs ?? [])
    }

    private func checkedName() throws(ContractInterfaceError) -> String {
        guard let name, !name.isEmpty else { throw .incomplete("a \(kind.rawValue)'s name") }
        return name
    }

    private static func parse(
        _ parameters: [Parameter]
    ) throws(ContractInterfaceError) -> [ABIParameter] {
        var parsed: [ABIParameter] = []
        for parameter in parameters { parsed.append(try parse(parameter)) }
        return parsed
    }

    private static func parse(
        _ parameter: Parameter
    ) throws(ContractInterfaceError) -> ABIParameter {
        let components = try parse(parameter.components ?? [])
        var text = parameter.type
        if text.hasPrefix("tuple") {
            guard parameter.components != nil else {
                throw .incomplete("the parts of tuple \(parameter.name ?? "")")
            }
            let parts = components.map(\.type.canonicalName).joined(separator: ",")
            text = "(" + parts + ")" + text.dropFirst("tuple".count)
        }
        do {
            return ABIParameter(
                name: parameter.name ?? "",
                type: try ABIType(text: text),
                components: components,
                isIndexed: parameter.indexed ?? false
            )
        } catch {
            throw .type(error)
        }
    }
}
