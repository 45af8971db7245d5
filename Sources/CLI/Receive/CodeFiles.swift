import ArgumentParser
import Foundation

/// The options `--png`, `--svg` and `--force` of commands that show a QR code.
struct CodeFiles: ParsableArguments {
    @Option(help: "Write the code to this file as a PNG image.", completion: .file()) var png:
        String?
    @Option(help: "Write the code to this file as an SVG image.", completion: .file()) var svg:
        String?
    @Flag(name: .customLong("force"), help: "Replace files that exist.") var isForced = false

    private var named: [(path: String, option: String)] {
        [(png, "--png"), (svg, "--svg")].compactMap { path, option in path.map { ($0, option) } }
    }

    func validate() throws {
        let paths = named.map { URL(filePath: $0.path).standardizedFileURL }
        guard Set(paths).count == paths.count else {
            throw ValidationError("--png and --svg name the same file. Name two.")
        }
    }

    /// Refuses to replace a file, before the node is asked for anything.
    ///
    /// - Throws: ``Failure`` that names the file.
    func check() throws {
        guard !isForced else { return }
        for (path, option) in named { try LocalFile.requireFree(path, option: option) }
    }

    /// Writes the code to the files that were named.
    ///
    /// - Throws: ``Failure`` that names the file and the option.
    func write(_ code: QRCode) throws {
        for (path, option) in named {
            let bytes = option == "--png" ? try code.png() : Array(code.svg.utf8)
            try LocalFile.write(bytes, to: path, isForced: isForced, option: option)
        }
    }

    /// Reports which files were written.
    func note(_ output: Output) {
        for (path, _) in named { output.note("written " + path) }
    }
}
