import Client
import Foundation

@testable import CLI

extension Program {
    /// Returns the program with ana signed in at a node.
    ///
    /// - Parameters:
    ///   - node: Where she is signed in.
    ///   - own: The node of the data folder; `nil` for the same one.
    ///   - data: The data folder.
    /// - Returns: The program, signed in.
    /// - Throws: An error of the file system.
    static func signedIn(
        at node: NodeAddress,
        own: NodeAddress? = nil,
        in data: String
    ) throws -> Program {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(name: "ana", address: "0x1", createdAt: time, isUnlocked: true)
        let session = Session(token: "secret", account: account, idleUntil: time, expiresAt: time)
        try SessionFolder(data: data).keep(
            SessionFolder.Entry(node: node.description, session: session)
        )
        var stoa = Program(folder: data)
        stoa.environment["STOA_API_PORT"] = "\((own ?? node).port)"
        return stoa
    }
}
