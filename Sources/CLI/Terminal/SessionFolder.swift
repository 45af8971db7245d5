import Client
import Foundation
import Setup

/// The open sessions of this user: one file for each account, readable by its owner only.
struct SessionFolder {
    /// A session, and the address of the node that issued it.
    struct Entry: Codable, Equatable {
        let node: String
        let session: Session
    }

    let path: String

    /// - Parameter data: The path of the data folder.
    init(data: String) { path = data + "/sessions" }

    /// Stores a session; replaces an earlier one of the same account.
    func keep(_ entry: Entry) throws {
        try write(try WireCoding.encoder().encode(entry), to: file(of: entry.session.account.name))
    }

    private func write(_ data: Data, to file: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try PrivateFile.write(data, to: file)
        } catch let error as PrivateFileError {
            throw Self.notWritten(error.path, error.reason)
        } catch let error as CocoaError {
            throw Self.notWritten(path, systemMessage(error))
        }
    }

    func forget(_ name: String) {
        // If there is no file, there is nothing to remove.
        try? FileManager.default.removeItem(atPath: file(of: name))
    }

    /// Returns the session of an account, by its name or address.
    ///
    /// - Throws: ``Failure`` if the account is not signed in.
    func session(of name: String) throws -> Entry {
        let wanted = name.lowercased()
        let found = try all().first {
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

    /// The name of the account that commands act as without `--as`; `nil` if none was chosen.
    var standard: String? {
        guard let data = FileManager.default.contents(atPath: standardFile) else { return nil }
        let name = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
        return name.isEmpty ? nil : name
    }

    /// Chooses the account that commands act as without `--as`; `nil` for none.
    func choose(_ name: String?) throws {
        guard let name else {
            // If there is no file, none was chosen.
            try? FileManager.default.removeItem(atPath: standardFile)
            return
        }
        try write(Data((name + "\n").utf8), to: standardFile)
    }

    private var standardFile: String { path + "/default" }

    /// The sessions of all accounts, by their names.
    func all() throws -> [Entry] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return []
        }
        return try names.filter { $0.hasSuffix(".json") }.sorted().map { name in
            let file = path + "/" + name
            do {
                let data = try Data(contentsOf: URL(filePath: file))
                return try WireCoding.decoder().decode(Entry.self, from: data)
            } catch {
                throw Failure(.failed, "\(file) is damaged. Remove it and sign in again.")
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

    /// Returns the path of an account's file; a name with other characters is written in hex.
    private func file(of name: String) -> String {
        let hex = name.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return "\(path)/\(isPlain ? name : "x-" + hex.joined()).json"
    }
}
