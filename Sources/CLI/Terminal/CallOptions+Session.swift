import Client
import Foundation

/// The choice of the account that a command acts as.
extension CallOptions {
    /// The account that `--as` or `STOA_ACCOUNT` names.
    var named: String? {
        account
            ?? ProcessInfo.processInfo.environment["STOA_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of the account that commands act as without `--as`, if one was chosen.
    var standardAccount: String? { named ?? sessions.standard }

    /// Returns the session to act with: of the account that `--as` or `STOA_ACCOUNT` names, else of
    /// the one that `stoa account use` chose, else the only one that its node still knows.
    ///
    /// - Returns: `nil` if nobody is signed in.
    /// - Throws: ``Failure`` if the named or chosen account is not signed in, or if several are and
    ///   none was chosen.
    func session() async throws -> SessionFolder.Entry? {
        if let named { return try sessions.session(of: named) }
        if let standard = sessions.standard {
            do { return try sessions.session(of: standard) } catch let failure as Failure
                where failure.code == .notAllowed
            {
                throw Failure(
                    .notAllowed,
                    "'\(standard)', the account of 'stoa account use', is not signed in. Run 'stoa "
                        + "account sign-in \(standard)', or name another one with --as."
                )
            }
        }
        let entries = try sessions.all()
        guard entries.count > 1 else { return entries.first }
        let live = await live(among: entries)
        guard live.count > 1 else { return live.first }
        throw Failure(
            .usage,
            "Several accounts are signed in. Choose one with --as, or for all commands with 'stoa "
                + "account use': \(live.map(\.session.account.name).joined(separator: ", "))."
        )
    }

    /// The account of a session, if there are others in this folder.
    func acting(as entry: SessionFolder.Entry) -> ActingAccount? {
        guard let count = try? sessions.all().count, count > 1 else { return nil }
        return ActingAccount(account: entry.session.account, isNamed: named != nil)
    }

    /// Returns the sessions that have not ended, as far as their nodes can be asked, and forgets
    /// the others.
    func live(among entries: [SessionFolder.Entry]) async -> [SessionFolder.Entry] {
        var live: [SessionFolder.Entry] = []
        for entry in entries where await isLive(entry) { live.append(entry) }
        return live
    }

    private func isLive(_ entry: SessionFolder.Entry) async -> Bool {
        guard let issuer = try? NodeAddress(text: entry.node) else { return false }
        // The command that uses the session says who listens there.
        guard (try? requireOwner(of: issuer)) != nil else { return true }
        do {
            try await StoaClient.scoped(issuer, token: entry.session.token) {
                _ = try await $0.currentAccount()
            }
            return true
        } catch let problem as Problem where problem.code == ProblemCode.signInNeeded.rawValue {
            sessions.forget(entry.session.account.name)
            return false
        } catch ClientError.unreachable {
            // A node at another port than before has ended its sessions.
            guard node == nil, let own = try? address() else { return true }
            return own == issuer
        } catch {
            return true
        }
    }
}
