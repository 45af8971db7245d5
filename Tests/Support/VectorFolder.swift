package import Foundation

/// Test data of other projects, read where it is present and never kept in the repository.
package enum VectorFolder {
    /// The folder named by `STOA_VECTORS`, by default `../shared/vectors` beside the project.
    package static var root: URL {
        if let named = ProcessInfo.processInfo.environment["STOA_VECTORS"] {
            return URL(filePath: named)
        }
        return projectRoot.appending(path: "../shared/vectors").standardized
    }

    package static var isPresent: Bool { FileManager.default.fileExists(atPath: root.path) }

    /// One file, as a path below the folder.
    package static func file(_ path: String) -> URL { root.appending(path: path) }
}

/// The folder that holds Package.swift.
package let projectRoot = URL(filePath: #filePath).appending(path: "../../..").standardized

/// The random lives of sales that the contracts' tests write, step by step.
package enum TraceFolder {
    /// The file of one kind of sale: in the folder that `STOA_TRACES` names, by default the committed
    /// one.
    package static func file(_ kind: String) -> URL {
        let named = ProcessInfo.processInfo.environment["STOA_TRACES"].map { URL(filePath: $0) }
        let folder = named ?? projectRoot.appending(path: "Tests/Vectors")
        return folder.appending(path: "\(kind)-traces.json")
    }
}
