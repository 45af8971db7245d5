/// A fault in a configuration.
package enum ConfigurationError: Error, Equatable, Sendable {
    /// `stoa.yaml` cannot be read as YAML; `reason` is the parser's.
    case unreadable(path: String, reason: String)
    /// No setting has this name; `nearest` is the most similar one.
    case unknownKey(String, nearest: String, origin: String)
    /// The setting's value does not meet its requirement.
    case invalid(key: String, value: String, expected: String, origin: String)
}

extension ConfigurationError: CustomStringConvertible, StartError {
    package var startFailure: StartFailure? { StartFailure(.configuration, description) }

    package var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) is not readable as YAML: \(reason). Correct it or move it away."
        case .unknownKey(let key, let nearest, let origin):
            Self.unknown(key, nearest, origin)
        case .invalid(let key, let value, let expected, let origin):
            "\(origin): '\(key)' is '\(value)', but must be \(expected)."
        }
    }

    /// A name that shares less than half of its letters with a setting was not meant for it.
    private static func unknown(_ key: String, _ nearest: String, _ origin: String) -> String {
        let isNear = editDistance(key, nearest) <= max(2, key.count / 2)
        return "\(origin): there is no setting '\(key)'. "
            + (isNear ? "Did you mean '\(nearest)'?" : "See 'stoa config show' for their names.")
    }
}
