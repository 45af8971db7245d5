package import Keys

/// The state of an account's transactions as one endpoint states it.
package struct Sighting: Sendable {
    let endpoint: EndpointName
    let head: UInt64
    /// The number of the account's transactions that have all confirmations there; `nil` if the
    /// endpoint does not tell.
    let settledNonce: UInt64?
    /// The receipts, `nil` for a transaction that is not mined; it says nothing of those left out.
    let receipts: [Bytes32: Receipt?]

    package init(
        endpoint: EndpointName,
        head: UInt64,
        settledNonce: UInt64?,
        receipts: [Bytes32: Receipt?]
    ) {
        (self.endpoint, self.head) = (endpoint, head)
        (self.settledNonce, self.receipts) = (settledNonce, receipts)
    }
}

/// Decides on what endpoints say of an account's transactions: two must say the same, and if they
/// differ, two of three decide.
///
/// Pure. An endpoint can lack a receipt, because it does not index them or is a block behind; that
/// contradicts no other endpoint. While only one endpoint says anything, its word counts for what
/// can change again, and for nothing final.
///
/// Source: Docs/operations.md, section 5.4 "Receipts".
package struct SightingVotes: Sendable {
    /// The decision on a transaction.
    package enum Verdict: Equatable, Sendable {
        /// Mined; vouched if enough endpoints have it with all confirmations.
        case mined(Receipt, isVouched: Bool)
        case notMined
        /// Another transaction has used its nonce, with all confirmations.
        case lost
        case undecided
    }

    /// A receipt that two other endpoints contradict.
    package struct Contradiction: Equatable, Sendable {
        package let told: Receipt
        package let by: EndpointName
        /// An endpoint that has the right one, in this block.
        package let right: EndpointName
        package let block: BlockID
    }

    /// How many endpoints say something of a transaction at most.
    private static let votersMax = 3

    private let nonces: [Bytes32: UInt64]
    private let confirmations: UInt64
    private let needed: Int
    private var sightings: [Sighting] = []

    /// Creates a decision without any votes.
    ///
    /// - Parameters:
    ///   - nonces: The nonces of the transactions.
    ///   - confirmations: How many blocks, with its own, a final receipt needs.
    ///   - needed: How many endpoints must say the same.
    package init(
        nonces: [Bytes32: UInt64],
        confirmations: UInt64,
        needed: Int
    ) {
        (self.nonces, self.confirmations, self.needed) = (nonces, confirmations, needed)
    }

    package mutating func add(_ sighting: Sighting) { sightings.append(sighting) }

    /// Returns whether a receipt has all confirmations below a head.
    package func isDeep(_ receipt: Receipt, below head: UInt64) -> Bool {
        receipt.block.number + confirmations <= head + 1
    }

    /// Returns the transactions of which another endpoint must be asked.
    package func open(of hashes: [Bytes32]) -> [Bytes32] {
        let verdicts = hashes.map { agreed(on: $0) }
        let mined = minedNonces(zip(hashes, verdicts))
        return zip(hashes, verdicts).filter { hash, verdict in
            guard sightings.count(where: { $0.receipts[hash] != nil }) < Self.votersMax else {
                return false
            }
            return switch verdict {
            case .mined(let receipt, let isVouched):
                !isVouched && holders(of: receipt).contains { isDeep(receipt, below: $0.head) }
            case .undecided: nonces[hash].map(mined.contains) != true
            case .notMined, .lost: false
            }
        }.map(\.0)
    }

    /// Returns what is decided on a transaction once nobody else is asked.
    package func verdict(on hash: Bytes32) -> Verdict {
        let agreed = agreed(on: hash)
        guard agreed == .undecided else { return agreed }
        let (told, lacking) = (receipts(of: hash), lacking(hash))
        let isCounted = lacking.contains { isUsed(hash, $0) }
        guard let first = told.first else {
            return lacking.count == 1 && !isCounted ? .notMined : .undecided
        }
        // One that has lost the receipt confirms that the nonce is used.
        guard told.allSatisfy({ $0.agrees(with: first) }), lacking.isEmpty || isCounted else {
            return .undecided
        }
        return .mined(first, isVouched: false)
    }

    /// Returns the observation that the votes give; `nil` if there are none.
    package func observation(of hashes: [Bytes32]) -> SendQueue.Observation? {
        guard let head = nth(sightings.map(\.head)) ?? sightings.first?.head else { return nil }
        let verdicts = hashes.map { verdict(on: $0) }
        let mined = minedNonces(zip(hashes, verdicts))
        var (asked, vouched) = (Set<Bytes32>(), Set<Bytes32>())
        var receipts: [Bytes32: Receipt] = [:]
        var doubts: [Bytes32: SendQueue.LoneClaim] = [:]
        for (hash, verdict) in zip(hashes, verdicts) {
            // A nonce is used once, so only the mined one of its transactions matters.
            let isReplaced = nonces[hash].map(mined.contains) == true
            switch verdict {
            case .mined(let receipt, let isVouched):
                receipts[hash] = receipt
                doubts[hash] = doubt(about: hash, verdict)
                if isVouched { vouched.insert(hash) }
            case .notMined, .lost: if agreed(on: hash) == verdict { vouched.insert(hash) }
            case .undecided where !isReplaced:
                doubts[hash] = doubt(about: hash, verdict)
                continue
            case .undecided: break
            }
            asked.insert(hash)
        }
        return SendQueue.Observation(
            asked: asked,
            head: head,
            settledNonce: nth(sightings.compactMap(\.settledNonce)),
            receipts: receipts,
            vouched: vouched,
            doubts: doubts
        )
    }

    /// The receipts with all confirmations that differ from those which two others have.
    package func contradictions(of hashes: [Bytes32]) -> [Contradiction] {
        hashes.flatMap { hash -> [Contradiction] in
            guard case .mined(let receipt, isVouched: true) = verdict(on: hash),
                let right = holders(of: receipt).first, holders(of: receipt).count > 1
            else { return [] }
            return sightings.compactMap { sighting in
                guard let told = sighting.receipts[hash] ?? nil, !told.agrees(with: receipt),
                    isDeep(told, below: sighting.head)
                else { return nil }
                return Contradiction(
                    told: told,
                    by: sighting.endpoint,
                    right: right.endpoint,
                    block: receipt.block
                )
            }
        }
    }

    /// Returns what enough endpoints say of a transaction.
    private func agreed(on hash: Bytes32) -> Verdict {
        if let receipt = receipts(of: hash).first(where: { holders(of: $0).count >= needed }) {
            let deep = holders(of: receipt).filter { isDeep(receipt, below: $0.head) }
            return .mined(receipt, isVouched: deep.count >= needed)
        }
        let lacking = lacking(hash)
        let used = lacking.count { isUsed(hash, $0) }
        if lacking.count - used >= needed { return .notMined }
        return used >= needed ? .lost : .undecided
    }

    /// Returns what one endpoint says with all confirmations and no other one confirms, if the
    /// verdict waits for that.
    private func doubt(about hash: Bytes32, _ verdict: Verdict) -> SendQueue.LoneClaim? {
        let deep = sightings.compactMap { sighting -> Receipt? in
            guard let told = sighting.receipts[hash] ?? nil, isDeep(told, below: sighting.head)
            else { return nil }
            return told
        }
        switch verdict {
        case .mined(let receipt, isVouched: false):
            return !deep.isEmpty && holders(of: receipt).count < needed ? .receipt : nil
        case .undecided where !deep.isEmpty: return .receipt
        case .undecided: return lacking(hash).contains { isUsed(hash, $0) } ? .nonce : nil
        case .mined, .notMined, .lost: return nil
        }
    }

    private func receipts(of hash: Bytes32) -> [Receipt] {
        sightings.compactMap { $0.receipts[hash] ?? nil }
    }

    private func holders(of receipt: Receipt) -> [Sighting] {
        sightings.filter { sighting in
            (sighting.receipts[receipt.transaction] ?? nil)?.agrees(with: receipt) == true
        }
    }

    /// Returns the endpoints that say that a transaction is not mined.
    private func lacking(_ hash: Bytes32) -> [Sighting] {
        sightings.filter { $0.receipts[hash] == .some(nil) }
    }

    /// Returns whether an endpoint counts a transaction's nonce as used, with all confirmations.
    private func isUsed(_ hash: Bytes32, _ sighting: Sighting) -> Bool {
        guard let nonce = nonces[hash], let settled = sighting.settledNonce else { return false }
        return nonce < settled
    }

    private func minedNonces(_ verdicts: some Sequence<(Bytes32, Verdict)>) -> Set<UInt64> {
        Set(
            verdicts.compactMap { hash, verdict in
                guard case .mined = verdict else { return nil }
                return nonces[hash]
            }
        )
    }

    /// Returns the highest number that enough endpoints reach; `nil` if too few tell one.
    private func nth(_ numbers: [UInt64]) -> UInt64? {
        numbers.count < needed ? nil : numbers.sorted(by: >)[needed - 1]
    }
}
