import ArgumentParser
import Concurrency
import Foundation
import Setup

/// The command `stoa store …`.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Back up a node's data folder, and restore it.",
        subcommands: [Export.self, Import.self]
    )

    struct Export: LeafCommand {
        static let configuration = command(
            "Back up a node, running or stopped, into a new data folder.",
            discussion: """
                The backup contains keystores and the node's key: keep it as safe as the node's own \
                folder. It does not contain sessions, or settings from --set or the environment.
                """
        )
        static let examples = ["store export /backup/stoa-2026-01-31"]

        @Argument(
            help: "The folder to create for the backup. It must not exist yet.",
            completion: .directory
        )
        var target: String
        @OptionGroup var options: OutputOptions
        @OptionGroup var folder: FolderOptions

        func run() async throws {
            let target = URL(filePath: target).standardizedFileURL.path
            let now = SystemWallClock().now
            let unread = try DataFolder(path: folder.path).export(to: target, at: now)
            try StoreText.show(
                target,
                unread,
                options.output,
                """
                Written to \(target). To restore it, run
                    stoa store import \(target) --data <new folder>
                or start it in place:
                    stoa node run --data \(target)
                """
            )
        }
    }

    struct Import: LeafCommand {
        static let configuration = command(
            "Restore a backup into a new data folder. The backup is not changed.",
            discussion: """
                The data folder (--data) must be new or empty. Sign in again afterwards: sessions \
                are not part of a backup.
                """
        )
        static let examples = ["store import /backup/stoa-2026-01-31 --data /srv/stoa"]

        @Argument(
            help: "The folder of a backup that 'stoa store export' created.",
            completion: .directory
        )
        var backup: String
        @OptionGroup var options: OutputOptions
        @OptionGroup var folder: FolderOptions

        func run() async throws {
            let backup = URL(filePath: backup).standardizedFileURL.path
            let now = SystemWallClock().now
            let unread = try DataFolder(path: backup).importing(to: folder.path, at: now)
            try StoreText.show(
                folder.path,
                unread,
                options.output,
                "Restored to \(folder.path). Start it with 'stoa node run --data \(folder.path)'."
            )
        }
    }
}

/// Warns about copies of a node.
private enum StoreText {
    /// The answer for programs.
    private struct Copied: Encodable {
        let folder: String
        let warnings: [String]
    }

    /// Prints the folder of a copy, and warns against running it beside the original.
    static func show(
        _ folder: String,
        _ unread: String?,
        _ output: Output,
        _ text: String
    ) throws {
        var warnings = [
            """
            never run this copy and the node it was copied from at the same time. Both have the \
            same keys: messages would be lost, and payments could be made twice.
            """
        ]
        if let unread {
            warnings.append(
                """
                chain.deployment names '\(unread)', which cannot be read and is not in the copy. \
                The copy will not start without it.
                """
            )
        }
        try output.show(Copied(folder: folder, warnings: warnings)) { _ in text }
        guard !output.isJSON else { return }
        for warning in warnings { Terminal.warn("Warning: " + warning) }
    }
}
