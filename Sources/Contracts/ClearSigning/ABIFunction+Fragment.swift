import Ethereum

extension ABIFunction {
    /// The signature with all names, such as `transfer(address to,uint256 value)`.
    ///
    /// Source: ERC-7730, section "Contract keys".
    var fragment: String { name + fragmentList(inputs) }

    /// The paths of all arguments, with a separate path for each part of tuples and fixed arrays.
    ///
    /// Source: ERC-7730, section "Path references".
    var paths: [String] { inputs.flatMap { $0.paths(under: "") } }
}

extension ABIParameter {
    fileprivate var fragment: String { fragmentType + " " + name }

    private var fragmentType: String {
        guard !components.isEmpty else { return type.canonicalName }
        let bare = "(" + components.map(\.type.canonicalName).joined(separator: ",") + ")"
        return fragmentList(components) + type.canonicalName.dropFirst(bare.count)
    }

    fileprivate func paths(under parent: String) -> [String] {
        let path = parent + name
        switch type {
        case .tuple: return components.flatMap { $0.paths(under: path + ".") }
        case .fixedArray(_, let count): return (0..<count).map { "\(path).[\($0)]" }
        default: return [path]
        }
    }
}

private func fragmentList(_ parameters: [ABIParameter]) -> String {
    "(" + parameters.map(\.fragment).joined(separator: ",") + ")"
}
