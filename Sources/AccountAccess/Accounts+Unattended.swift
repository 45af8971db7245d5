import Answers
package import Client
import Concurrency
import Foundation
package import Keys
package import Market

/// How the owner of an account leaves it alone, after its password.
extension Accounts {
    /// How long an account can be left alone, in seconds: 1 to 365 days' worth.
    private static let unattendedSeconds: ClosedRange<UInt64> = 1...365 * 86_400

    /// The moves that the node can make now, by account: all while it is unlocked, else those that
    /// it has allowed.
    package var allowedMoves: [Address: Set<UnattendedMove>] {
        get async {
            let left = await unattended.allowed
            return left.merging(unlocked.map { ($0, Set<UnattendedMove>.all) }) { $1 }
        }
    }

    /// Returns the accounts for which the node can make a move now.
    package func accounts(allowing move: UnattendedMove) async -> [Address] {
        await allowedMoves.filter { $0.value.contains(move) }.keys.sorted()
    }

    /// Lets the node make moves for an account while nobody is signed in, and replaces what was
    /// allowed before.
    ///
    /// - Parameters:
    ///   - name: The account's name or address.
    ///   - request: The moves, for how long, and the account's password.
    ///   - caller: Where the password comes from.
    /// - Returns: The moves that are allowed now.
    /// - Throws: ``Refusal`` with `malformed_value`, `wrong_password`, `too_many_tries`,
    ///   `signs_elsewhere`, `store_full` if the disk is, or `internal_error` if its file is damaged
    ///   or cannot be written; then what was allowed before stays.
    package func leaveAlone(
        _ name: String,
        _ request: UnattendedRequest,
        by caller: CallerGroup
    ) async throws -> UnattendedMoves {
        let moves = try Self.moves(request.moves)
        guard Self.unattendedSeconds.contains(request.seconds) else {
            throw Refusal(.malformedValue, Sentence("refusal.unattendedTime"), field: "seconds")
        }
        let (entry, key) = try await unlock(name, Password(request.password), by: caller)
        try entry.account.requireKeyHere()
        // Whole seconds, as the API writes times.
        let end = clock.now.addingTimeInterval(TimeInterval(request.seconds)).timeIntervalSince1970
        return try await unattended.keep(
            key,
            of: entry.address,
            for: moves,
            until: Date(timeIntervalSince1970: end.rounded(.down)),
            keystore: entry.account.keystore
        )
    }

    private static func moves(_ names: [String]) throws(Refusal) -> Set<UnattendedMove> {
        let moves = names.compactMap(UnattendedMove.init(rawValue:))
        guard !moves.isEmpty, moves.count == names.count else {
            let all = UnattendedMove.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.unattendedMoves", ["moves": all]),
                field: "moves"
            )
        }
        return Set(moves)
    }
}
