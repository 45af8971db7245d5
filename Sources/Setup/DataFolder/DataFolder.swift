import Foundation
package import Keys

/// The folder in which a node keeps everything.
///
/// Source: Docs/operations.md, section 3.
package struct DataFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// `stoa.yaml`, which may be missing.
    package var configurationFile: String { path + "/stoa.yaml" }
    /// The LMDB environment.
    package var storeFolder: String { path + "/store" }
    /// The files of accounts, and copies of others' files.
    package var blobsFolder: String { path + "/blobs" }
    /// The search index, which can be rebuilt from the store.
    package var catalogueFile: String { path + "/catalogue.sqlite" }
    /// Smaller versions of pictures, which can be made again.
    package var thumbnailFolder: String { path + "/thumbnails" }
    /// Files that are being added; empty while the node does not run.
    package var mediaWorkFolder: String { path + "/media-work" }
    /// The node's private key, in hexadecimal; anyone with it can pose as this node.
    package var keyFile: String { path + "/node.key" }
    /// The token that the operator's programs send to the API.
    package var tokenFile: String { path + "/node.token" }
    /// The addresses of the running node, for programs on this machine.
    package var addressFile: String { path + "/node.address" }

    /// Whether `stoa init` has been run on it.
    package var isInitialised: Bool { FileManager.default.fileExists(atPath: keyFile) }

    /// Creates the folder with a new node key and token, and keeps what exists.
    ///
    /// - Throws: ``DataFolderError``
    package func initialise() throws(DataFolderError) {
        try makePrivate(path)
        if !isInitialised {
            // With a new key the node would be another peer, which its homes and contacts do not
            // know.
            guard !FileManager.default.fileExists(atPath: storeFolder + "/data.mdb") else {
                throw .keyLost(path: keyFile)
            }
            try write(PrivateKey.random().hexadecimalLine(), to: keyFile)
        }
        if !FileManager.default.fileExists(atPath: tokenFile) { try writeToken() }
    }

    /// Writes a new token for the operator's programs.
    func writeToken() throws(DataFolderError) {
        try write(Bytes32.random().digits, to: tokenFile)
    }

    /// Returns the node's own key.
    ///
    /// - Throws: ``DataFolderError``
    package func nodeKey() throws(DataFolderError) -> PrivateKey {
        try requirePrivate(keyFile)
        guard let bytes = SecretBytes(hexadecimal: try secret(in: keyFile)),
            let key = PrivateKey(bytes)
        else { throw .damaged(path: keyFile) }
        return key
    }

    /// Returns the operator's token.
    ///
    /// - Throws: ``DataFolderError``
    package func operatorToken() throws(DataFolderError) -> String {
        let token = try read(tokenFile).lowercased()
        guard Hex.decode(token)?.count == 32 else { throw .damaged(path: tokenFile) }
        return token
    }

    /// Returns the hash of the operator's token; the node itself does not need the token.
    ///
    /// - Throws: ``DataFolderError``
    package func operatorTokenHash() throws(DataFolderError) -> Bytes32 {
        try requirePrivate(tokenFile)
        guard let token = SecretBytes(hexadecimal: try secret(in: tokenFile)), token.count == 32
        else { throw .damaged(path: tokenFile) }
        var hasher = Keccak256()
        unsafe token.hexadecimalLine().withBytes { unsafe hasher.update($0.dropLast()) }
        return hasher.finalize()
    }

    /// Creates a folder, and its parents, for its owner only.
    func makePrivate(_ folder: String) throws(DataFolderError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .notWritable(path: folder, reason: systemMessage(error))
        }
    }

    /// Writes a file that only its owner can read, whole or not at all; durable when it returns.
    package func write(_ text: String, to file: String) throws(DataFolderError) {
        do {
            try PrivateFile.write((text + "\n").utf8, to: file)
        } catch {
            throw .notWritable(path: file, reason: error.reason)
        }
    }

    /// Writes a key file; whole or not at all.
    func write(_ secret: SecretBytes, to file: String) throws(DataFolderError) {
        do {
            try PrivateFile.write(secret, to: file)
        } catch {
            throw .notWritable(path: file, reason: error.reason)
        }
    }

    /// Refuses a file with a secret that other users may read.
    private func requirePrivate(_ file: String) throws(DataFolderError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        // A path that is missing or not a file is refused when it is read.
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let mode = attributes?[.posixPermissions] as? Int
        else { return }
        guard mode & 0o077 == 0 else { throw .openToOthers(path: file) }
    }

    /// Returns the secret in a key file.
    func secret(in file: String) throws(DataFolderError) -> SecretBytes {
        guard let secret = PrivateFile.secret(in: file) else { throw Self.unread(file) }
        return secret
    }

    /// Returns the text of a file, without the white space around it.
    func read(_ file: String) throws(DataFolderError) -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Self.unread(file)
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns why a file could not be read: it is missing, or this user may not read it.
    static func unread(_ file: String) -> DataFolderError {
        let isThere = unsafe access(file, F_OK) == 0 || errno == EACCES
        return isThere ? .notReadable(path: file) : .missing(path: file)
    }
}

/// A fault of a data folder.
package enum DataFolderError: Error, Equatable, Sendable {
    case notWritable(path: String, reason: String)
    /// A backup, or a folder to restore one to, cannot be written.
    case copyNotWritable(path: String, reason: String)
    /// A file that `stoa init` creates is missing.
    case missing(path: String)
    /// There is a store, but the node's key is missing.
    case keyLost(path: String)
    /// A file is not what `stoa init` wrote.
    case damaged(path: String)
    /// The file or folder to be created exists already.
    case inTheWay(path: String)
    /// The copy would be in the folder that it is a copy of.
    case insideItself(path: String)
    /// The folder to be restored into is a node's.
    case hasNode(path: String)
    /// The folder that the copy would be in is missing.
    case noParent(path: String)
    /// The folder to be restored is not a backup; `missing` is a file that a backup has.
    case noBackup(path: String, missing: String)
    /// A file that a person named cannot be read.
    case notReadable(path: String)
    /// Other users may read a file with a secret.
    case openToOthers(path: String)
    /// The folder already has settings.
    case hasSettings(path: String)
}

extension DataFolderError: CustomStringConvertible, StartError {
    package var startFailure: StartFailure? { StartFailure(.configuration, description) }

    package var description: String {
        switch self {
        case .notWritable(let path, let reason):
            "\(path) cannot be written: \(reason). "
                + (FullDisk.advice(reason)
                    ?? "Choose another folder with --data, or correct its permissions.")
        case .copyNotWritable(let path, let reason):
            "\(path) cannot be written: \(reason). "
                + (FullDisk.advice(reason)
                    ?? "Name another folder, on a disk where this user may write.")
        case .missing(let path):
            "\(path) is missing. Run 'stoa init --data <folder>' first, or restore it from a backup."
        case .keyLost(let path):
            "\(path) is missing, but there is a store beside it. Restore the file from a backup. "
                + "Without one, move the store away, run 'stoa init', and move it back: the node "
                + "is then another peer, with the same accounts."
        case .openToOthers(let path):
            "Other users can read \(path), and it is a secret. Run 'chmod 600' on it first."
        case .damaged(let path):
            "\(path) has been changed or damaged. Restore it from a backup."
        case .inTheWay(let path):
            "\(path) exists already. Choose a new folder; nothing is overwritten."
        case .insideItself(let path):
            "\(path) is in the node's own data folder, and a backup there would be lost with it. "
                + "Choose a folder elsewhere, preferably on another disk."
        case .hasNode(let path):
            "\(path) is the data folder of a node, running or not, and nothing in it is overwritten. "
                + "Name a new or empty folder with --data."
        case .noParent(let path):
            "There is no folder \(path). Create it first, or mount the disk that it is on; nothing was "
                + "written."
        case .noBackup(let path, let missing):
            "\(path) is not a backup: \(missing) is missing. Choose a folder that 'stoa store export' "
                + "wrote."
        case .notReadable(let path):
            "\(path) cannot be read. Check its name, and whether this user may read it."
        case .hasSettings(let path):
            "\(path) exists already. Choose another folder with --data, or edit the file; nothing "
                + "was changed."
        }
    }
}
