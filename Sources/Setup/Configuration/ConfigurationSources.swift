import Configuration
import Foundation
import Yams

/// The sources of settings: flags, then the environment, then `stoa.yaml`, then the defaults.
package struct ConfigurationSources: Sendable {
    /// A setting's text, and its origin.
    package struct Finding: Hashable, Sendable {
        package let text: String
        package let origin: String
    }

    private let providers: [(origin: String, provider: any ConfigProvider)]

    /// The ids of the chains that settings `chains.<id>.…` describe, in their order.
    let chains: [UInt64]

    /// Every setting, those of the described chains included.
    var keys: [ConfigurationKey] {
        ConfigurationKey.all + chains.flatMap { ChainSettingsGroup.listed($0).keys }
    }

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - flags: Settings by name, as given on the command line.
    ///   - environment: The process's environment; only names that begin with `STOA_` count.
    ///   - file: The path of `stoa.yaml`, which may be missing.
    /// - Throws: ``ConfigurationError`` for a file that is not YAML, and for names that are not a
    ///   setting.
    package init(
        flags: [String: String],
        environment: [String: String],
        file: String
    ) throws(ConfigurationError) {
        try Self.checkNames(flags.keys, origin: "the command line")
        try Self.checkEnvironment(environment.keys)
        var chains = Set(flags.keys.compactMap(Self.chain(named:)))
        chains.formUnion(environment.keys.compactMap(Self.chain(inEnvironment:)))
        var providers: [(String, any ConfigProvider)] = [
            ("--set", Self.provider(of: flags)),
            ("environment", Self.provider(ofEnvironment: environment)),
        ]
        // A file in a folder that this user may not enter is not missing.
        if unsafe access(file, F_OK) == 0 || errno == EACCES {
            guard let text = FileManager.default.contents(atPath: file) else {
                throw .unreadable(path: file, reason: "it is no file, or this user may not read it")
            }
            let values = try Self.values(inYAML: text, path: file)
            try Self.checkNames(values.keys, origin: file)
            chains.formUnion(values.keys.compactMap(Self.chain(named:)))
            providers.append((file, Self.provider(of: values)))
        }
        self.providers = providers
        self.chains = chains.sorted()
    }

    /// Returns the chain that a setting `chains.<id>.…` describes; `nil` for any other name.
    private static func chain(named name: String) -> UInt64? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0] == "chains" else { return nil }
        return number(of: parts[1])
    }

    /// As ``chain(named:)``, for a name such as `STOA_CHAINS_8217_RPC`.
    private static func chain(inEnvironment name: String) -> UInt64? {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 3, parts[0] == "STOA", parts[1] == "CHAINS" else { return nil }
        return number(of: parts[2])
    }

    /// Reads a chain's id, which has only one valid spelling.
    private static func number(of text: Substring) -> UInt64? {
        UInt64(text).flatMap { $0 > 0 && $0 <= UInt64(Int.max) && "\($0)" == text ? $0 : nil }
    }

    package func find(_ key: ConfigurationKey) -> Finding {
        let name = AbsoluteConfigKey(key.name.split(separator: ".").map(String.init))
        for (origin, provider) in providers {
            // A text that exists can always be read as text, so no error can hide a setting.
            guard let found = try? provider.value(forKey: name, type: .string).value,
                case .string(let text) = found.content
            else { continue }
            return Finding(text: text, origin: origin)
        }
        return Finding(text: key.standard, origin: "default")
    }

    /// Returns a path from a settings file; a relative one starts at the folder of that file.
    static func path(_ named: String, in file: String) -> String {
        guard !named.hasPrefix("/") else { return named }
        return URL(filePath: file).deletingLastPathComponent().appending(path: named).path
    }

    private static func provider(of values: [String: String]) -> InMemoryProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { name, text in
                    (
                        AbsoluteConfigKey(name.split(separator: ".").map(String.init)),
                        ConfigValue(.string(text), isSecret: false)
                    )
                }
            )
        )
    }

    private static func provider(
        ofEnvironment environment: [String: String]
    ) -> EnvironmentVariablesProvider {
        let own = environment.filter { $0.key.hasPrefix("STOA_") }
        return EnvironmentVariablesProvider(
            environmentVariables: Dictionary(
                uniqueKeysWithValues: own.map { (String($0.key.dropFirst(5)), $0.value) }
            )
        )
    }

    private static func checkNames(
        _ names: some Sequence<String>,
        origin: String
    ) throws(ConfigurationError) {
        let all = ConfigurationKey.all.map(\.name)
        for name in names.sorted() {
            let own = chain(named: name).map { ChainSettingsGroup.listed($0).keys.map(\.name) }
            let known = own ?? all
            if known.contains(name) { continue }
            let nearest = nearestName(to: name, among: known) ?? ""
            throw .unknownKey(name, nearest: nearest, origin: origin)
        }
    }

    /// Refuses a name that was meant for a setting.
    ///
    /// Other programs' names may begin with `STOA_` too. A name counts as meant for a setting if it
    /// is in a group of settings, or almost like one.
    private static func checkEnvironment(
        _ names: some Sequence<String>
    ) throws(ConfigurationError) {
        let known = ConfigurationKey.all.map(\.environmentName)
        let groups = Set(
            ConfigurationKey.all.filter { $0.name.contains(".") }
                .compactMap { $0.environmentName.split(separator: "_").prefix(2).last }
        )
        for name in names.sorted() where name.hasPrefix("STOA_") && !known.contains(name) {
            if let chain = chain(inEnvironment: name) {
                let own = ChainSettingsGroup.listed(chain).keys.map(\.environmentName)
                if own.contains(name) { continue }
                let nearest = nearestName(to: name, among: own) ?? ""
                throw .unknownKey(name, nearest: nearest, origin: "the environment")
            }
            guard let nearest = nearestName(to: name, among: known) else { continue }
            let group = name.split(separator: "_").dropFirst().first
            let isMeant = group.map(groups.contains) ?? false
            guard isMeant || editDistance(name, nearest) <= 2 else { continue }
            throw .unknownKey(name, nearest: nearest, origin: "the environment")
        }
    }

    /// Flattens the file's mappings: joins names by dots, and list elements by commas.
    static func values(
        inYAML data: Data,
        path: String
    ) throws(ConfigurationError) -> [String: String] {
        let root: Yams.Node?
        do {
            root = try Yams.compose(yaml: try UTF8Text.decode(data))
        } catch let error as NotUTF8 {
            throw .unreadable(path: path, reason: "it \(error)")
        } catch {
            throw .unreadable(path: path, reason: reason(of: error))
        }
        guard let root, root != Yams.Node("") else { return [:] }
        guard case .mapping(let mapping) = root else {
            throw .unreadable(path: path, reason: "the top is not a mapping of names to values")
        }
        var values: [String: String] = [:]
        for (key, value) in mapping {
            if key.string == "chains", case .sequence(let list) = value {
                for chain in list { try flatten(chain: chain, of: path, into: &values) }
            } else {
                try flatten(value, under: key.string ?? "", of: path, into: &values)
            }
        }
        return values
    }

    /// Flattens an entry of the list `chains` to settings `chains.<id>.…`.
    private static func flatten(
        chain: Yams.Node,
        of path: String,
        into values: inout [String: String]
    ) throws(ConfigurationError) {
        func invalid(_ value: String, _ expected: String) -> ConfigurationError {
            .invalid(key: "chains", value: value, expected: expected, origin: path)
        }
        var own: [String: String] = [:]
        if case .mapping = chain { try flatten(chain, under: "", of: path, into: &own) }
        guard let text = own.removeValue(forKey: "id"), let id = number(of: text[...]) else {
            throw invalid(
                own["id"] ?? "",
                "a list of chains, each with its 'id', such as 'id: 8217', beside its 'rpc' and "
                    + "'deployment'"
            )
        }
        for (name, value) in own {
            guard values.updateValue(value, forKey: "chains.\(id).\(name)") == nil else {
                throw invalid("\(id)", "a list with each chain once")
            }
        }
    }

    private static func flatten(
        _ node: Yams.Node,
        under prefix: String,
        of path: String,
        into values: inout [String: String]
    ) throws(ConfigurationError) {
        func keep(_ value: String) throws(ConfigurationError) {
            guard values.updateValue(value, forKey: prefix) == nil else {
                throw .unreadable(path: path, reason: "it has \(prefix) twice")
            }
        }
        switch node {
        case .mapping(let mapping):
            for (key, value) in mapping {
                let name = key.string ?? ""
                let full = prefix.isEmpty ? name : prefix + "." + name
                try flatten(value, under: full, of: path, into: &values)
            }
        case .sequence(let sequence):
            var elements: [String] = []
            for element in sequence {
                guard let text = text(of: element) else {
                    throw .unreadable(
                        path: path,
                        reason: "an element of \(prefix) is a list or a mapping of its own"
                    )
                }
                elements.append(text)
            }
            try keep(elements.joined(separator: ","))
        case .scalar(let scalar): try keep(scalar.string)
        case .alias: try keep("")
        }
    }

    /// Returns an element of a list as text; YAML reads one such as `x-api-key: 1234` as a mapping.
    ///
    /// - Returns: `nil` if it is, or contains, a list or mapping of its own.
    private static func text(of node: Yams.Node) -> String? {
        guard case .mapping(let mapping) = node else { return node.string }
        let texts = mapping.compactMap { name, value in
            name.string.flatMap { name in value.string.map { "\(name): \($0)" } }
        }
        return texts.count == mapping.count ? texts.joined(separator: ",") : nil
    }

    /// Describes the fault of a text that is not YAML, without the text, which may contain keys.
    private static func reason(of error: any Error) -> String {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _),
            YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
        case YamlError.reader(let problem, _, _, _): problem
        case YamlError.duplicatedKeysInMapping(_, let context):
            "the name in line \(context.mark.line) appears twice"
        default: "it is not YAML"
        }
    }
}
