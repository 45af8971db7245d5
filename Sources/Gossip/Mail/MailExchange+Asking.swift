package import GossipProtocol
package import Keys
package import Market

extension MailExchange {
    /// Links to a home, if there is no link yet.
    ///
    /// It skips addresses that are less public than all of this node's own: neither a profile from
    /// another peer nor an account of this node may make it connect to its own neighbours. Host
    /// names are resolved first, and the same rule applies to the results. A node that is linked
    /// already, for instance because the operator named it, is asked whatever its address is.
    ///
    /// ``HomeDials`` limits the dials, which use the slots for addresses reported by other peers,
    /// unless it is a home that serves an account of this node (`isOwn`).
    ///
    /// - Throws: ``LinkError`` if none of its addresses leads to it.
    package func reach(
        _ home: PeerID,
        at addresses: [Multiaddr],
        own isOwn: Bool = false
    ) async throws {
        if home == localPeer { return }
        if await links.link(to: home) != nil { return }
        let nearest = await self.addresses().map(\.reach).min() ?? .machine
        var failure = LinkError.notLinked(home)
        for address in addresses.prefix(HomeLease.addressesMax) where address.reach >= nearest {
            let dials = isOwn ? nil : self.dials
            if let dials, await !dials.mayDial(address, of: home) { continue }
            let isName = address.ipAddress == nil
            for target in await links.resolve(address) where target.reach >= nearest {
                try Task.checkCancellation()
                if isName, let dials, await !dials.mayDial(resolved: target) { continue }
                do {
                    _ = try await links.dial(target.expecting(home), isReported: !isOwn)
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
    /// - Returns: The home's lease, with a verified signature.
    /// - Throws: ``MailRefusal``, ``LinkError``, ``MailAnswerFault``.
    package func askLease(of home: PeerID, by account: PrivateKey) async throws -> HomeLease {
        var request = LeaseRequest(by: account, to: home, network: settings.network, at: now())
        var connection = try await MailConnection(to: home, over: self)
        var answer = try await connection.ask(.lease(request))
        var left = settings.limits.leaseWorkMax
        for _ in 0..<Self.pricesMax {
            guard case .workWanted(let work) = answer else { break }
            left = try Self.left(of: left, after: work)
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

    /// Publishes a device's keys at a linked home, with the records that prove its owner.
    package func publish(
        _ bundle: PrekeyBundle,
        records: [[UInt8]],
        at home: PeerID
    ) async throws {
        guard case .done = try await ask(.publish(bundle, records: records), of: home) else {
            throw MailAnswerFault.otherKind
        }
    }

    /// Returns the keys of an account that one of its homes offers; they are not verified.
    package func keys(
        of account: Address,
        from home: PeerID
    ) async throws -> (bundles: [[UInt8]], records: [[UInt8]]) {
        guard case .keys(let bundles, let records) = try await ask(.keys(of: account), of: home)
        else { throw MailAnswerFault.otherKind }
        return (bundles, records)
    }

    /// Deposits envelopes at a linked home, and verifies its signed answer for each.
    ///
    /// `grant` is the recipient's, if it gave one. Without a grant the home may demand proof of
    /// work, which this function computes. It calls `note` after each answer, with the home's
    /// reason if it refused; envelopes that the home has stored stay stored, whatever happens to
    /// the others. After the refusal `tooOften` it does not try the others.
    ///
    /// - Throws: ``LinkError`` and others if it is unknown whether the home has the others.
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

    /// Deposits envelopes at a linked home.
    ///
    /// - Returns: The reasons, for envelopes that the home refused.
    /// - Throws: ``LinkError`` and others if it is unknown whether the home has the others.
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

    /// Price increases that are followed: a home's price rises as it fills.
    ///
    /// All that a home demands for one request counts towards the limit, so that a home that always
    /// demands again costs as much as one that demands much at once.
    private static let pricesMax = 3

    /// Returns how much work a home may still demand for a request.
    private static func left(of max: UInt64, after work: UInt64) throws -> UInt64 {
        guard work <= max else { throw MailRefusal.workTooDear }
        return max - work
    }

    private func deposit(_ deposit: MailDeposit, over connection: inout MailConnection) async throws
    {
        var deposit = deposit
        var answer = try await connection.ask(.deposit(deposit))
        var left = settings.limits.depositWorkMax
        for _ in 0..<Self.pricesMax {
            guard case .workWanted(let work) = answer else { break }
            left = try Self.left(of: left, after: work)
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

    /// Collects the envelopes that wait for a device at a linked home, page by page.
    ///
    /// `keep` stores each one durably. The home then removes those for which `keep` returned
    /// `true`. Returns their number.
    package func collect(
        _ account: Address,
        device: PrivateKey,
        from home: PeerID,
        _ keep: (WaitingEnvelope) async throws -> Bool
    ) async throws -> Int {
        var connection = try await provedConnection(to: home, as: device, of: account)
        var (count, last) = (0, UInt64(0))
        // Ends after as many pages as one stream has questions, even if the home has more.
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

    /// Sends a device's grants to a linked home, or to this node itself.
    package func sendGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: PrivateKey,
        to home: PeerID
    ) async throws {
        var connection = try await provedConnection(to: home, as: device, of: account)
        guard case .done = try await connection.ask(.grants(secret, ended: ended.sorted())) else {
            throw MailAnswerFault.otherKind
        }
        await connection.end()
    }

    func provedConnection(
        to home: PeerID,
        as device: PrivateKey,
        of account: Address,
        protocol name: String = MailExchange.protocolID
    ) async throws -> MailConnection {
        var connection = try await MailConnection(to: home, over: self, protocol: name)
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
