import Foundation
import Testing

/// Package.swift says which module may import which.
struct PackageTests {
    /// A target, with its folder and the modules that it depends on.
    private struct Target {
        let name: String
        let folder: String
        /// Files and folders in it that belong to other targets.
        let excluded: Set<String>
        let dependencies: Set<String>
    }

    /// Modules that come with the compiler.
    private static let system: Set<String> = [
        "Dispatch",
        "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Testing",
    ]

    @Test func `each target depends on what it imports and on nothing else`() throws {
        let targets = try Self.targets()
        #expect(targets.count > 30)
        for target in targets {
            let folder = root.appending(path: target.folder).path
            let files = sources(under: target.folder).filter { file in
                let path = file.path.dropFirst(folder.count + 1)
                return !target.excluded.contains(String(path.prefix { $0 != "/" }))
            }
            // One is in C, one is generated.
            guard !files.isEmpty else { continue }
            let imports = try files.flatMap { try Self.imports(of: $0) }
            // A program that tests run.
            let dependencies = target.dependencies.subtracting(["StoreWriter"])
            #expect(Set(imports).subtracting(Self.system) == dependencies, "\(target.name)")
        }
    }

    @Test func `each module has a row in the document of the architecture`() throws {
        let document = try String(
            contentsOf: root.appending(path: "Docs/architecture.md"),
            encoding: .utf8
        )
        let section = try #require(
            document.split(separator: "\n## ").first { $0.hasPrefix("Modules") }
        )
        let table = try #require(
            section.split(separator: "\n\n").first { $0.hasPrefix("| module |") }
        )
        let rows = table.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.output.1) }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "Sources").path
        )
        #expect(Set(rows) == Set(folders).subtracting(["System"]))
    }

    /// The targets that Package.swift lists with dependencies.
    private static func targets() throws -> [Target] {
        let package = try String(
            contentsOf: root.appending(path: "Package.swift"),
            encoding: .utf8
        )
        .replacing(/,\s*package: "[^"]+"/, with: "")
        var lists: [String: Set<String>] = [:]
        let variables = package.matches(
            of: /let (\w+): \[?Target\.Dependency\]? = ([^=]+)\n(?=let|\n)/
        )
        for variable in variables {
            lists[String(variable.output.1)] = modules(in: variable.output.2, lists)
        }
        let form =
            /\.(\w*)[tT]arget\(\s*name: "(\w+)",\s*dependencies: (\[[^\]]+\][ +\w]*),(?:\s*path: "([^"]+)",?)?(?:\s*exclude: \[([^\]]+)\])?/
        return package.matches(of: form).map { target in
            let parent = target.output.1 == "test" ? "Tests" : "Sources"
            return Target(
                name: String(target.output.2),
                folder: target.output.4.map(String.init) ?? "\(parent)/\(target.output.2)",
                excluded: Set(
                    (target.output.5 ?? "").matches(of: /"([^"]+)"/).map { String($0.output.1) }
                ),
                dependencies: modules(in: target.output.3, lists)
            )
        }
    }

    /// The modules in a list of dependencies, which names them or other lists.
    private static func modules(in text: Substring, _ lists: [String: Set<String>]) -> Set<String> {
        let named = text.matches(of: /"(\w+)"/).map { String($0.output.1) }
        let listed = text.replacing(/"\w+"/, with: "").matches(of: /\w+/)
        return listed.reduce(Set(named)) { $0.union(lists[String($1.output)] ?? []) }
    }

    private static func imports(of file: URL) throws -> [String] {
        try code(of: file).matches(of: /(?m)^(?:@?\w+ )*import (\w+)$/)
            .map { String($0.output.1) }
    }
}
