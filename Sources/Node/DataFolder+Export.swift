import Foundation
import Storage

extension DataFolder {
    /// Writes what cannot be made anew into `target`, beside a node that runs or without one.
    ///
    /// That is the store as of one moment, the node's key and its settings: `target` is a data
    /// folder then. Whole or not at all: `target` has its name once everything in it is durable.
    ///
    /// - Throws: ``DataFolderError``, `StorageError`
    package func export(to target: String) throws {
        let files = FileManager.default
        if !isInitialised { throw DataFolderError.missing(path: keyFile) }
        if files.fileExists(atPath: target) { throw DataFolderError.inTheWay(path: target) }
        let draft = DataFolder(path: target + ".part")
        try? files.removeItem(atPath: draft.path)
        do {
            try draft.makePrivate(draft.storeFolder)
            try StoreCopy.make(of: storeFolder, in: draft.storeFolder)
            _ = try nodeKey()
            try draft.write(try secret(in: keyFile), to: draft.keyFile)
            if files.fileExists(atPath: configurationFile) {
                try draft.write(try read(configurationFile), to: draft.configurationFile)
            }
            try draft.rename(to: target)
        } catch {
            try? files.removeItem(atPath: draft.path)
            throw error
        }
    }

    private func rename(to target: String) throws(DataFolderError) {
        let parent = URL(filePath: target).deletingLastPathComponent().path
        guard unsafe Foundation.rename(path, target) == 0, PrivateFile.flush(parent) else {
            throw .notWritable(path: target, reason: "it cannot be given its name")
        }
    }
}
