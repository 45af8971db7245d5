import ArgumentParser
import Foundation
import Node

/// The command `stoa config …`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "The node's settings and where each comes from.",
        subcommands: [Show.self, Check.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show every setting with its origin; none of them is a secret."
        )

        @OptionGroup var settings: SettingsOptions
        @Flag(help: "Answer in JSON, for programs.") var json = false

        func run() async throws {
            // Without a folder's name, this shows the defaults of one that is still to be made.
            if settings.folder.folder != nil { try settings.requireFolder() }
            let configuration = try settings.configuration()
            let found = configuration.findings.map {
                Setting(
                    name: $0.key.name,
                    value: $0.finding.text,
                    origin: $0.finding.origin,
                    usual: configuration.usual($0.key)
                )
            }
            try Output(isJSON: json).show(found) { found in
                var table = TextTable("setting", "value", "from")
                for setting in found { table.add(setting.name, setting.shown, setting.origin) }
                return table.text(orElse: "")
            }
        }

        private struct Setting: Encodable {
            let name: String
            let value: String
            let origin: String
            /// What stands for a value that leaves it to the chain.
            let usual: String?

            var shown: String { usual.map { "\(value) (\($0), usual on this chain)" } ?? value }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Read every setting, and say what is wrong with the first bad one."
        )

        @OptionGroup var settings: SettingsOptions

        func run() async throws {
            try settings.requireFolder()
            _ = try settings.configuration()
            Terminal.print("The configuration is good.")
        }
    }
}

/// Where a node's settings come from.
struct SettingsOptions: ParsableArguments {
    @OptionGroup var folder: FolderOptions

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "A setting as name=value, before the environment and stoa.yaml; several times.",
            valueName: "name=value"
        )
    )
    var settings: [String] = []

    /// - Throws: ``DataFolderError`` if the data folder is not there.
    func requireFolder() throws {
        var isFolder: ObjCBool = false
        guard
            unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw DataFolderError.missing(path: folder.path) }
    }

    /// - Throws: ``ConfigurationError``, or ``Failure`` for a flag without `=`.
    func configuration() throws -> Configuration {
        var flags: [String: String] = [:]
        for setting in settings {
            guard let place = setting.firstIndex(of: "=") else {
                throw Failure(.usage, "'--set \(setting)' is not of the form name=value.")
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
