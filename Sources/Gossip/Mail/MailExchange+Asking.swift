package import Keys
package import Market

extension MailExchange {
    /// Links to a home, where there is no link yet.
    ///
    /// Unless it may be `anywhere`, an address nearer than all of this node's own is passed over:
    /// a stranger's profile must not make it knock at its neighbours' doors. A name is looked up
    /// first, and what it leads to is held to the same. Nor are more dialled than ``HomeDials``
    /// lets, and those in the places for what strangers tell.
    ///
    /// - Throws: ``LinkError`` if none of its addresses leads to it.
    package func reach(
        _ home: PeerID,
        at addresses: [Multiaddr],
        anywhere isAnywhere: Bool = false
    ) async throws {
        if home == localPeer { return }
        if await links.link(to: home) != nil { return }
        let nearest = isAnywhere ? .machine : await self.addresses().map(\.reach).min() ?? .machine
        var failure = LinkError.notLinked(home)
        for address in addresses.prefix(HomeLease.addressesMax) where address.reach >= nearest {
            let dials = isAnywhere ? nil : self.dials
            if let dials, await !dials.mayDial(address, of: home) { continue }
            let isName = address.ipAddress == nil
            for target in await links.resolve(address) where target.reach >= nearest {
                try Task.checkCancellation()
                if isName, let dials, await !dials.mayDial(resolved: target) { continue }
                do {
                    _ = try await links.dial(target.expecting(home), isTold: !isAnywhere)
                    if isName { await dials?.wasReached(by: address) }
                    return
                } catch let error as LinkError {
                    failure = error
                }
            }
        }
        throw failure
    }

    /// Asks a linked node to keep an account's mail.
    ///
    /// - Returns: Its lease, whose signature is checked.
    /// - Throws: ``MailRefusal``, ``LinkError``, ``MailAnswerFault``.
    package func askLease(of home: PeerID, by account: PrivateKey) async throws -> HomeLease {
        var request = LeaseRequest(
            by: account,
            to: home,
            network: settings.network,
            at: now()
        )
        var connection = try await MailConnection(to: home, over: self)
        var answer = try await connection.ask(.lease(request))
        for _ in 0..<Self.pricesMax {
            guard case .workWanted(let work) = answer else { break }
            guard work <= settings.limits.leaseWorkMax else { throw MailRefusal.workTooDear }
            let subject = request.workSubject(at: home, network: settings.network)
            request.work = try await MailWork.proof(of: work, for: subject)
            answer = try await connection.ask(.lease(request))
        }
        await connection.end()
        if case .workWanted = answer { throw MailRefusal.workTooDear }
        guard case .lease(let lease) = answer else { throw MailAnswerFault.otherKind }
        guard lease.peer == home, lease.isGranted(to: account.address) else {
            throw MailAnswerFault.notSignedByHome
        }
        return lease
    }

    /// Hands a device's keys to a linked home, with the records that show whose they are.
    package func publish(
        _ bundle: PrekeyBundle,
        records: [[UInt8]],
        at home: PeerID
    ) async throws {
        guard case .done = try await ask(.publish(bundle, records: records), of: home) else {
            throw MailAnswerFault.otherKind
        }
    }

    /// How an account can be written to, as one of its homes says; nothing of it is checked.
    package func keys(
        of account: Address,
        from home: PeerID
    ) async throws -> (bundles: [[UInt8]], records: [[UInt8]]) {
        guard case .keys(let bundles, let records) = try await ask(.keys(of: account), of: home)
        else { throw MailAnswerFault.otherKind }
        return (bundles, records)
    }

    /// Hands envelopes to a linked home, and checks its word for each.
    ///
    /// `grant` is the recipient's, if it gave one; without it the home may want work, which is done
    /// here. `note` hears of each as it is answered, with the home's reason if it was refused: what
    /// is held stays so, whatever becomes of the rest. Once a home says that it was asked too
    /// often, the rest is not tried.
    ///
    /// - Throws: ``LinkError`` and others where it is not known what became of the rest.
    package func deposit(
        _ envelopes: [MailEnvelope],
        under grant: MailGrant? = nil,
        at home: PeerID,
        noting note: (_ envelope: Bytes32, MailRefusal?) async -> Void
    ) async throws {
        var connection = try await MailConnection(to: home, over: self)
        var isTooOften = false
        for envelope in envelopes {
            do {
                if isTooOften { throw MailRefusal.tooOften }
                try await deposit(MailDeposit(envelope, under: grant, to: home), over: &connection)
                await note(envelope.hash, nil)
            } catch let refusal as MailRefusal {
                isTooOften = isTooOften || refusal == .tooOften
                await note(envelope.hash, refusal)
            }
        }
        await connection.end()
    }

    /// Hands envelopes to a linked home.
    ///
    /// - Returns: Why not, for those it refused.
    /// - Throws: ``LinkError`` and others where it is not known what became of the rest.
    package func deposit(
        _ envelopes: [MailEnvelope],
        under grant: MailGrant? = nil,
        at home: PeerID
    ) async throws -> [Bytes32: MailRefusal] {
        var refusals: [Bytes32: MailRefusal] = [:]
        try await deposit(envelopes, under: grant, at: home) { envelope, refusal in
            if let refusal { refusals[envelope] = refusal }
        }
        return refusals
    }

    /// A price rises as a home fills; one that rises more often than this is not followed.
    private static let pricesMax = 3

    private func deposit(_ deposit: MailDeposit, over connection: inout MailConnection) async throws
    {
        var deposit = deposit
        var answer = try await connection.ask(.deposit(deposit))
        for _ in 0..<Self.pricesMax {
            guard case .workWanted(let work) = answer else { break }
            guard work <= settings.limits.depositWorkMax else { throw MailRefusal.workTooDear }
            let subject = deposit.workSubject(at: connection.home, network: settings.network)
            deposit.work = try await MailWork.proof(of: work, for: subject)
            answer = try await connection.ask(.deposit(deposit))
        }
        if case .workWanted = answer { throw MailRefusal.workTooDear }
        guard case .held(let signature) = answer else { throw MailAnswerFault.otherKind }
        let statement = MailStatement.held(deposit.envelope.hash, settings.network)
        guard let key = NodeKey.publicKey(of: connection.home),
            key.verifies(signature, of: statement, as: .held)
        else { throw MailAnswerFault.notSignedByHome }
    }

    /// Collects what waits for a device at a linked home, page by page.
    ///
    /// Each is handed to `keep`, which keeps it durably; those for which it answers `true` are
    /// then forgotten by the home. Answers how many those were.
    package func collect(
        _ account: Address,
        device: PrivateKey,
        from home: PeerID,
        _ keep: (WaitingEnvelope) async throws -> Bool
    ) async throws -> Int {
        var connection = try await provedLine(to: home, as: device, of: account)
        var (count, last) = (0, UInt64(0))
        // A home that never ends is left after as many pages as one stream has questions.
        for _ in 0..<settings.limits.questionsMax / 2 - 2 {
            guard case .collected(let page) = try await connection.ask(.collect(after: last)) else {
                throw MailAnswerFault.otherKind
            }
            guard let end = page.last?.number, end > last else { break }
            last = end
            var kept: [UInt64] = []
            for entry in page where try await keep(entry) { kept.append(entry.number) }
            if !kept.isEmpty { _ = try await connection.ask(.acknowledge(kept)) }
            count += kept.count
        }
        await connection.end()
        return count
    }

    /// Tells a linked home, or this node itself, of a device's grants.
    package func tellGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: PrivateKey,
        to home: PeerID
    ) async throws {
        var connection = try await provedLine(to: home, as: device, of: account)
        guard case .done = try await connection.ask(.grants(secret, ended: ended.sorted())) else {
            throw MailAnswerFault.otherKind
        }
        await connection.end()
    }

    private func provedLine(
        to home: PeerID,
        as device: PrivateKey,
        of account: Address
    ) async throws -> MailConnection {
        var connection = try await MailConnection(to: home, over: self)
        let slot = DeviceCertificate.slot(of: device.publicKey)
        guard
            case .challenge(let challenge) = try await connection.ask(.open(account, device: slot))
        else { throw MailAnswerFault.otherKind }
        let statement = MailStatement.collection(
            account,
            home,
            settings.network,
            challenge: challenge
        )
        let proof = device.sign(statement, as: .collection)
        guard case .done = try await connection.ask(.prove(proof)) else {
            throw MailAnswerFault.otherKind
        }
        return connection
    }

    private func ask(_ question: MailQuestion, of home: PeerID) async throws -> MailAnswer {
        var connection = try await MailConnection(to: home, over: self)
        let answer = try await connection.ask(question)
        await connection.end()
        return answer
    }
}
