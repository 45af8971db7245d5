import GossipProtocol
package import Keys
package import Market

extension MailExchange {
    /// The name under which homes are asked about vaults, with the messages of ``protocolID``.
    package static let vaultProtocolID = "/stoa/vault/1"

    /// Pages of segments that are taken from a home, and given to it, in one exchange.
    private static let vaultPagesMax = 64

    /// Exchanges an account's vault with a linked home: first takes the segments that this node
    /// lacks, then sends those that the home lacks.
    ///
    /// - Parameters:
    ///   - account: The account, of this node.
    ///   - device: The key of its device here.
    ///   - home: A linked peer.
    ///   - asksForGaps: Whether to ask for gaps inside logs, too.
    ///   - keep: Stores the segments that belong to the vault; those that it leaves out are not
    ///     asked for
    ///     again in this exchange.
    /// - Returns: Whether segments were missing in the middle of logs, and the answers did not fill
    ///   all of them.
    /// - Throws: ``MailRefusal``, ``LinkError``, ``MailAnswerFault``.
    @discardableResult
    package func exchangeVault(
        of account: Address,
        device: PrivateKey,
        with home: PeerID,
        asksForGaps: Bool = true,
        keep: ([VaultSegment]) async throws -> Void
    ) async throws -> Bool {
        var connection = try await provedConnection(
            to: home,
            as: device,
            of: account,
            protocol: Self.vaultProtocolID
        )
        let theirs = try await takeVault(of: account, over: &connection, keep)
        if asksForGaps { try await fillGaps(of: account, over: &connection, keep) }
        let refused = try await giveVault(of: account, after: theirs, over: &connection)
        await connection.end()
        // Logs of a former device are not sent once its certificate has been removed.
        let told = refused.filter { $0.value != .unknownDevice }
        if let refusal = told[DeviceCertificate.slot(of: device.publicKey)] ?? told.first?.value {
            throw refusal
        }
        guard asksForGaps else { return false }
        return try await mailStore.vaultGaps(of: account) != nil
    }

    /// Takes the segments that this node lacks from a home, and returns how far the home's logs go.
    private func takeVault(
        of account: Address,
        over connection: inout MailConnection,
        _ keep: ([VaultSegment]) async throws -> Void
    ) async throws -> [VaultLogMark] {
        var (asked, theirs): ([VaultLogMark]?, [VaultLogMark]) = (nil, [])
        for _ in 0..<Self.vaultPagesMax {
            let own = try await vault(of: account, after: []).held
            if own == asked { break }
            asked = own
            guard case .vault(let held, let segments) = try await connection.ask(.vault(after: own))
            else { throw MailAnswerFault.otherKind }
            theirs = held
            if segments.isEmpty { break }
            try await keep(segments.filter { $0.account == account })
        }
        return theirs
    }

    /// Sends a home the segments that it lacks, and returns why it refused those of some devices.
    private func giveVault(
        of account: Address,
        after theirs: [VaultLogMark],
        over connection: inout MailConnection
    ) async throws -> [Bytes32: MailRefusal] {
        // Nothing beyond a gap is sent: the home states a log up to its first gap, and would get
        // the rest again in each exchange.
        let whole = try await mailStore.vaultGaps(of: account).map { marks in
            Dictionary(marks.map { ($0.device, $0.last) }) { max($0, $1) }
        }
        var theirs = theirs
        // A log that the home refuses delays no other one.
        var refused: [Bytes32: MailRefusal] = [:]
        for _ in 0..<Self.vaultPagesMax {
            let segments = try await vault(of: account, after: theirs).segments
            if segments.isEmpty { break }
            for segment in segments {
                defer {
                    theirs.removeAll { $0.device == segment.device }
                    theirs.append(VaultLogMark(device: segment.device, last: segment.number))
                }
                if refused[segment.device] != nil { continue }
                if let whole, segment.number > whole[segment.device] ?? 0 { continue }
                do {
                    guard case .done = try await connection.ask(.keep(segment)) else {
                        throw MailAnswerFault.otherKind
                    }
                } catch let refusal as MailRefusal {
                    refused[segment.device] = refusal
                }
            }
        }
        return refused
    }

    /// Fetches the missing middle parts of logs from a home, and once more the segments after them.
    private func fillGaps(
        of account: Address,
        over connection: inout MailConnection,
        _ keep: ([VaultSegment]) async throws -> Void
    ) async throws {
        guard var marks = try await mailStore.vaultGaps(of: account) else { return }
        for _ in 0..<Self.vaultPagesMax {
            let asked = Array(marks.prefix(settings.limits.vaultLogsMax))
            guard case .vault(_, let segments) = try await connection.ask(.vault(after: asked))
            else { throw MailAnswerFault.otherKind }
            let lasts = Dictionary(asked.map { ($0.device, $0.last) }) { max($0, $1) }
            let own = segments.filter {
                $0.account == account && $0.number > lasts[$0.device] ?? 0
            }
            if own.isEmpty { return }
            try await keep(own)
            for segment in own {
                marks.removeAll { $0.device == segment.device }
                marks.append(VaultLogMark(device: segment.device, last: segment.number))
            }
            marks.sort { $0.device.bytes.lexicographicallyPrecedes($1.device.bytes) }
        }
    }

    /// Answers a device that asks for its account's vault.
    ///
    /// The mark of a log is the last number before its first missing segment, so that the device
    /// gives that one, too.
    func vaultAnswer(of account: Address, after marks: [VaultLogMark]) async throws -> MailAnswer {
        let (held, segments) = try await vault(of: account, after: marks)
        let whole = try await mailStore.vaultGaps(of: account) ?? held
        return .vault(Array(whole.prefix(settings.limits.vaultLogsMax)), segments)
    }

    /// Answers a question about a vault once it is its turn.
    ///
    /// All such questions together have one rate, which is divided equally between addresses. This
    /// node's own questions do not wait.
    func inTurn(
        _ account: Address,
        of peer: PeerID,
        _ body: () async throws -> MailAnswer
    ) async throws -> MailAnswer {
        if peer == localPeer { return try await body() }
        let cost = try await mailStore.vaultCost(of: account)
        return try await vaultTurns.turn(costing: cost, of: await origin(of: peer), body)
    }

    /// Returns this node's part of a vault, and one page of the segments after `marks`.
    func vault(
        of account: Address,
        after marks: [VaultLogMark]
    ) async throws -> (held: [VaultLogMark], segments: [VaultSegment]) {
        let limits = settings.limits
        let (held, segments) = try await mailStore.vault(
            of: account,
            after: marks,
            limit: limits.collectedMax,
            byteCountMax: limits.collectedBytesMax
        )
        return (Array(held.prefix(limits.vaultLogsMax)), segments)
    }
}
