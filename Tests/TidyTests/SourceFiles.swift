import Foundation

/// A file's lines without comments.
func code(of file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
        .joined(separator: "\n")
}

/// The raw values of the cases in a file.
func values(in file: String) throws -> [String] {
    try code(of: root.appending(path: file)).matches(of: /(?m)^ +case \w+ = "?(\w+)"?$/)
        .map { String($0.output.1) }
}

/// The repository.
let root = URL(filePath: #filePath).appending(path: "../../..").standardized

/// The Swift files below a folder, without generated ones.
func sources(under folder: String) -> [URL] {
    let found = FileManager.default.enumerator(
        at: root.appending(path: folder),
        includingPropertiesForKeys: nil
    )
    return (found?.allObjects as? [URL] ?? [])
        .filter { $0.pathExtension == "swift" && !$0.lastPathComponent.hasSuffix(".pb.swift") }
}
