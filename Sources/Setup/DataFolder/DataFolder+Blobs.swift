import Foundation

extension DataFolder {
    /// Copies the files of another folder to this one; durable when it returns.
    ///
    /// Incomplete files are not copied. A file that the running node evicts during the copy
    /// belonged to no account, and is not copied either.
    ///
    /// - Throws: ``DataFolderError``
    func copyBlobs(of source: DataFolder) throws(DataFolderError) {
        let names = try? FileManager.default.contentsOfDirectory(atPath: source.blobsFolder)
        guard let names else { return }
        try makePrivate(blobsFolder)
        for name in names where name.hasSuffix(".blob") {
            let file = blobsFolder + "/" + name
            do {
                try FileManager.default.copyItem(
                    atPath: source.blobsFolder + "/" + name,
                    toPath: file
                )
            } catch CocoaError.fileReadNoSuchFile {
                continue
            } catch {
                throw .notWritable(path: file, reason: systemMessage(error))
            }
            try flush(file)
        }
        try flush(blobsFolder)
    }

    private func flush(_ path: String) throws(DataFolderError) {
        guard PrivateFile.flush(path) else {
            throw .notWritable(path: path, reason: PrivateFileError(path).reason)
        }
    }
}
