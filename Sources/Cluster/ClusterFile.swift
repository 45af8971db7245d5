import Foundation
import Keys
import Setup

/// Writes a cluster's files, each readable by its owner alone, whole or not at all.
enum ClusterFile {
    static func write(_ data: Data, to path: String) throws(ClusterError) {
        do {
            try PrivateFile.write(data, to: path)
        } catch {
            throw .notWritable(path: path, reason: error.reason)
        }
    }

    static func write(_ secret: SecretBytes, to path: String) throws(ClusterError) {
        do {
            try PrivateFile.write(secret, to: path)
        } catch {
            throw .notWritable(path: path, reason: error.reason)
        }
    }

    static func read(_ path: String) throws(ClusterError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .badKeyFile(path: path, reason: "it cannot be read")
        }
        return data
    }

    /// Returns whether two files have the same content.
    static func isSame(_ path: String, _ other: String) -> Bool {
        let data = FileManager.default.contents(atPath: path)
        return data != nil && data == FileManager.default.contents(atPath: other)
    }

    static func makeFolder(_ path: String) throws(ClusterError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .notWritable(path: path, reason: systemMessage(error))
        }
    }

    /// Returns the last lines of a log.
    static func tail(_ path: String) -> String {
        let text = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: text.suffix(4_096), as: UTF8.self)
            .split(separator: "\n").suffix(12).joined(separator: "\n")
    }
}
