import Client
import Foundation
import Node

/// The sessions this person has open, one file an account, readable by its owner alone.
struct SessionFolder {
    /// A session and the node it is with.
    struct Entry: Codable, Equatable {
        let node: String
        let session: Session
    }

    let path: String

    /// - Parameter data: The data folder.
    init(data: String) { path = data + "/sessions" }

    /// Keeps a session in place of the account's last.
    func keep(_ entry: Entry) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try PrivateFile.write(
                try WireCoding.encoder().encode(entry),
                to: file(of: entry.session.account.name)
            )
        } catch let error as PrivateFileError {
            throw Self.notWritten(error.path, error.reason)
        } catch let error as CocoaError {
            throw Self.notWritten(path, systemMessage(error))
        }
    }

    func forget(_ name: String) {
        // A session that is not kept is what was wanted.
        try? FileManager.default.removeItem(atPath: file(of: name))
    }

    /// The session of an account, or the only one there is.
    ///
    /// - Parameter name: The account's name or address, or `nil` for the only one.
    /// - Returns: `nil` if nobody is signed in.
    /// - Throws: ``Failure`` if it is not clear who is meant.
    func session(of name: String?) throws -> Entry? {
        let entries = try all()
        guard let name else {
            guard entries.count <= 1 else {
                let names = entries.map(\.session.account.name).joined(separator: ", ")
                throw Failure(.usage, "Say who you are with --as: \(names).")
            }
            return entries.first
        }
        let wanted = name.lowercased()
        let found = entries.first {
            $0.session.account.name.lowercased() == wanted
                || $0.session.account.address.lowercased() == wanted
        }
        guard let found else {
            throw Failure(
                .notAllowed,
                "'\(name)' is not signed in. Run 'stoa account sign-in \(name)' first."
            )
        }
        return found
    }

    /// How many accounts are signed in.
    var count: Int {
        get throws { try all().count }
    }

    private func all() throws -> [Entry] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return []
        }
        return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
            let file = path + "/" + name
            do {
                let data = try Data(contentsOf: URL(filePath: file))
                return try WireCoding.decoder().decode(Entry.self, from: data)
            } catch {
                throw Failure(.failed, "\(file) is not as it was written. Remove it and sign in.")
            }
        }
    }

    private static func notWritten(_ path: String, _ reason: String) -> Failure {
        Failure(
            .configuration,
            "\(path) cannot be written: \(reason). Change its permissions, or choose another "
                + "folder with --data."
        )
    }

    /// Names may hold characters that no file name can.
    private func file(of name: String) -> String {
        let hex = name.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(path)/\(isPlain ? name : "x-" + hex.joined()).json"
    }
}
