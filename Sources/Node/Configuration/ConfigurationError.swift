/// What is wrong with a configuration.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// `stoa.yaml` cannot be read as YAML; `reason` is the parser's.
    case unreadable(path: String, reason: String)
    /// No setting has this name; `nearest` is the one most like it.
    case unknownKey(String, nearest: String, origin: String)
    /// The setting's value is not what it must be.
    case invalid(key: String, value: String, expected: String, origin: String)
}

extension ConfigurationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) is not readable as YAML: \(reason). Correct it or move it away."
        case .unknownKey(let key, let nearest, let origin):
            "\(origin): there is no setting '\(key)'. Did you mean '\(nearest)'?"
        case .invalid(let key, let value, let expected, let origin):
            "\(origin): '\(key)' is '\(value)', but must be \(expected)."
        }
    }
}
