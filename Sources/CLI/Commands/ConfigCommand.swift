import ArgumentParser
import Foundation
import Setup
import Trade

/// The command `stoa config …`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and check the node's settings.",
        subcommands: [Show.self, Check.self]
    )

    struct Show: LeafCommand {
        static let configuration = command(
            "Show every setting and where it comes from. No setting is a secret."
        )
        static let examples = ["config show", "config show --explain", "config show --json"]

        @Flag(help: "Say what each setting means.") var explain = false
        @OptionGroup var settings: SettingsOptions
        @OptionGroup var options: OutputOptions

        func run() async throws {
            // Without --data the folder may not exist yet: then this shows its defaults.
            if settings.folder.folder != nil { try settings.requireFolder() }
            let configuration = try settings.configuration()
            let found = configuration.findings.map {
                Setting(
                    name: $0.key.name,
                    value: $0.finding.text,
                    origin: $0.finding.origin,
                    usual: configuration.usual($0.key),
                    meaning: explain ? $0.key.about : nil
                )
            }
            try options.output.show(found) { found in
                guard !explain else { return found.map(\.explained).joined(separator: "\n") }
                var table = TextTable("setting", "value", "from")
                for setting in found { table.add(setting.name, setting.shown, setting.origin) }
                return table.text(orElse: "")
            }
        }

        private struct Setting: Encodable {
            let name: String
            let value: String
            let origin: String
            /// The chain's usual value, if the setting leaves the choice to the chain.
            let usual: String?
            let meaning: String?

            var explained: String {
                "\(name): \(shown.isEmpty ? "(none)" : shown), from \(origin)\n    \(meaning ?? "")"
            }

            var shown: String { usual.map { "\(value) (\($0), usual on this chain)" } ?? value }
        }
    }

    struct Check: LeafCommand {
        static let configuration = command(
            "Check all settings, and report the first that is wrong."
        )
        static let examples = ["config check --data /srv/stoa"]

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var options: OutputOptions

        func run() async throws {
            try settings.requireFolder()
            try settings.configuration().checkDeployment()
            try options.output.show(["isValid": true]) { _ in "The configuration is valid." }
        }
    }
}

/// The options for a node's settings: its data folder and `--set`.
struct SettingsOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "A setting; overrides the environment and stoa.yaml. Can be repeated.",
            valueName: "name=value"
        )
    )
    var settings: [String] = []
    @OptionGroup var folder: FolderOptions

    /// - Throws: ``DataFolderError`` if the data folder does not exist.
    func requireFolder() throws {
        var isFolder: ObjCBool = false
        guard
            unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw DataFolderError.missing(path: folder.path) }
    }

    /// - Throws: ``ConfigurationError``, or ``Failure`` if a `--set` has no `=`.
    func configuration() throws -> Configuration {
        var flags: [String: String] = [:]
        for setting in settings {
            guard let place = setting.firstIndex(of: "=") else {
                throw Failure(.usage, "'--set \(setting)' has no '='. Write it as name=value.")
            }
            flags[String(setting[..<place])] = String(setting[place...].dropFirst())
        }
        return try Configuration(
            ConfigurationSources(
                flags: flags,
                environment: ProcessInfo.processInfo.environment,
                file: DataFolder(path: folder.path).configurationFile
            )
        )
    }
}
