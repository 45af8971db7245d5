package import Foundation
import Storage

extension DataFolder {
    /// The name of the market's file in a backup, as the backup's settings name it.
    private static let deploymentName = "deployment.json"

    /// The file that says when a copy that has not run yet was made.
    var copyFile: String { path + "/node.copy" }

    /// When this folder was copied from another node's; `nil` once the copy has run.
    package var copiedAt: Date? {
        guard let text = try? read(copyFile) else { return nil }
        return try? Date(text, strategy: .iso8601)
    }

    /// Whether it is a copy that has not run yet, whatever creation time the file states.
    package var isCopy: Bool { FileManager.default.fileExists(atPath: copyFile) }

    /// Records that the copy has become a separate node.
    package func forgetCopying() {
        // If the file stays, the next start reports the same again.
        try? FileManager.default.removeItem(atPath: copyFile)
    }

    /// Writes the files that a node needs into `target`, whether or not the node runs.
    ///
    /// That is the store as of one moment, the files of blobs, the node's key, a new token, its
    /// settings, and the market's file that they name. `target` is a data folder then. Whole or not
    /// at all: `target` gets its name once everything in it is durable.
    ///
    /// - Returns: The market's file that the settings name, if it cannot be read and is not in
    ///   `target`.
    /// - Throws: ``DataFolderError``, `StorageError`
    @discardableResult
    package func export(to target: String, at date: Date) throws -> String? {
        if !isInitialised { throw Self.unread(keyFile) }
        if FileManager.default.fileExists(atPath: target) {
            throw DataFolderError.inTheWay(path: target)
        }
        let own = Self.resolved(path) + "/"
        guard !(Self.resolved(target) + "/").hasPrefix(own) else {
            throw DataFolderError.insideItself(path: target)
        }
        // A disk that is not mounted must not be taken for an empty folder.
        let parent = URL(filePath: target).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else {
            throw DataFolderError.noParent(path: parent)
        }
        return try copy(to: target, at: date)
    }

    /// Creates a data folder from a backup, which stays as it is.
    ///
    /// Whole or not at all, and durable, as ``export(to:at:)``.
    ///
    /// - Returns: As ``export(to:at:)``.
    /// - Throws: ``DataFolderError``, `StorageError`
    @discardableResult
    package func importing(to target: String, at date: Date) throws -> String? {
        for file in [keyFile, storeFolder + "/data.mdb"]
        where !FileManager.default.fileExists(atPath: file) {
            throw DataFolderError.noBackup(path: path, missing: file)
        }
        if DataFolder(path: target).isInitialised { throw DataFolderError.hasNode(path: target) }
        let present = try? FileManager.default.contentsOfDirectory(atPath: target)
        guard present?.isEmpty ?? !FileManager.default.fileExists(atPath: target) else {
            throw DataFolderError.inTheWay(path: target)
        }
        return try copy(to: target, at: date)
    }

    /// Returns a path without symbolic links, even if its last part does not exist yet.
    private static func resolved(_ path: String) -> String {
        let url = URL(filePath: path).standardizedFileURL
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath()
        return parent.appending(path: url.lastPathComponent).resolvingSymlinksInPath().path
    }

    private func copy(to target: String, at date: Date) throws -> String? {
        // A new name, so that it belongs to no other folder or copy.
        let draft = DataFolder(path: "\(target).\(UUID().uuidString.prefix(8)).part")
        do {
            try draft.makePrivate(draft.storeFolder)
            try StoreCopy.make(of: storeFolder, in: draft.storeFolder)
            // After the store, which names them: files added in the meantime do no harm.
            try draft.copyBlobs(of: self)
            _ = try nodeKey()
            try draft.write(try secret(in: keyFile), to: draft.keyFile)
            try draft.writeToken()
            try draft.write(date.ISO8601Format(), to: draft.copyFile)
            let unread = try draft.copySettings(of: configurationFile)
            try draft.rename(to: target)
            return unread
        } catch {
            try? FileManager.default.removeItem(atPath: draft.path)
            // The draft is nothing that a person has named.
            guard case DataFolderError.notWritable(_, let reason) = error else { throw error }
            throw DataFolderError.copyNotWritable(path: target, reason: reason)
        }
    }

    /// Copies settings in the form of `stoa.yaml` to this folder, with the market's file.
    ///
    /// The copied settings name the copy of the market's file.
    ///
    /// - Returns: The market's file, if it cannot be read.
    @discardableResult
    func copySettings(of source: String) throws -> String? {
        guard let settings = FileManager.default.contents(atPath: source) else { return nil }
        func write(_ data: Data, _ file: String) throws(DataFolderError) {
            do { try PrivateFile.write(data, to: file) } catch {
                throw .notWritable(path: file, reason: error.reason)
            }
        }
        // Settings that no node could read are copied as they are.
        guard let values = try? ConfigurationSources.values(inYAML: settings, path: source) else {
            try write(settings, configurationFile)
            return nil
        }
        var renamed: [String: String] = [:]
        var unread: String?
        for (key, copy) in Self.deployments(values) {
            let file = ConfigurationSources.path(values[key] ?? "", in: source)
            guard let deployment = FileManager.default.contents(atPath: file) else {
                unread = unread ?? file
                continue
            }
            try write(deployment, path + "/" + copy)
            renamed[key] = copy
        }
        try write(Self.settings(settings, values, renamed), configurationFile)
        return unread
    }

    /// Returns the settings that name markets' files, in their order, and the names of the copies.
    private static func deployments(
        _ values: [String: String]
    ) -> [(key: String, copy: String)] {
        let own = ConfigurationKey.chainDeployment.name
        let parts = deploymentName.split(separator: ".")
        return values.filter { !$0.value.isEmpty }.keys.sorted().compactMap { key in
            if key == own { return (key, deploymentName) }
            let names = key.split(separator: ".")
            guard names.count == 3, names[0] == "chains", names[2] == "deployment" else {
                return nil
            }
            return (key, "\(parts[0])-\(names[1]).\(parts[1])")
        }
    }

    /// Returns the settings with some of them changed, as they were written if possible.
    private static func settings(
        _ text: Data,
        _ values: [String: String],
        _ new: [String: String]
    ) -> Data {
        guard !new.isEmpty else { return text }
        let wanted = values.merging(new) { $1 }
        var written = String(decoding: text, as: UTF8.self)
        for (key, name) in new { written = written.replacing(values[key] ?? "", with: name) }
        let changed = Data(written.utf8)
        if let read = try? ConfigurationSources.values(inYAML: changed, path: ""), read == wanted {
            return changed
        }
        // A name with its parts joined by dots can be read as well, and so can JSON's strings.
        let lines = wanted.sorted { $0.key < $1.key }.map { name, value in
            let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(name): \"\(quoted)\"\n"
        }
        return Data(lines.joined().utf8)
    }

    private func rename(to target: String) throws(DataFolderError) {
        let parent = URL(filePath: target).deletingLastPathComponent().path
        guard unsafe Foundation.rename(path, target) == 0, PrivateFile.flush(parent) else {
            throw .notWritable(path: target, reason: "it cannot be renamed into place")
        }
    }
}
