import Gossip
import GossipProtocol
import Keys
import Market

/// A ``MailStore`` in memory; it certifies every device that it was given.
actor MemoryMailStore: MailStore {
    private var leases: Set<Address> = []
    private var devices: [Bytes32: PublicKey] = [:]
    private var bundles: [Bytes32: PrekeyBundle] = [:]
    private var waiting: [WaitingEnvelope] = []
    private var secrets: [Bytes32] = []
    private var ended: Set<Bytes32> = []
    private var segments: [VaultSegment] = []
    private var vaultCost = 16
    private(set) var admissions: [MailAdmission] = []

    init(devices: [PublicKey]) {
        for key in devices { self.devices[DeviceCertificate.slot(of: key)] = key }
    }

    var envelopes: [MailEnvelope] { waiting.map(\.envelope) }

    func facts(
        of account: Address,
        device: Bytes32?,
        deposit: MailDeposit?,
        from origin: Bytes32,
        at now: Timestamp
    ) -> MailServer.Facts {
        var facts = MailServer.Facts(
            isKeptHere: leases.contains(account),
            device: device.flatMap { devices[$0] },
            leases: leases.count
        )
        facts.isHeld = waiting.contains { $0.envelope == deposit?.envelope }
        if let grant = deposit?.grant?.id, !ended.contains(grant) { facts.grantSecrets = secrets }
        return facts
    }

    func grant(
        _ lease: HomeLease,
        to account: Address,
        from origin: Bytes32
    ) -> MailRefusal? {
        leases.insert(account)
        return nil
    }

    func keepGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32
    ) -> MailRefusal? {
        secrets = [secret]
        self.ended = Set(ended)
        return nil
    }

    func keys(of account: Address) -> (bundles: [[UInt8]], records: [[UInt8]]) {
        (bundles.values.map(\.bytes), [])
    }

    func take(records: [[UInt8]], from origin: RecordOrigin, isAsked: Bool) {}

    func keep(_ bundle: PrekeyBundle, at now: Timestamp) {
        bundles[DeviceCertificate.slot(of: bundle.device)] = bundle
    }

    func deposit(
        _ envelope: MailEnvelope,
        as admission: MailAdmission,
        from origin: Bytes32,
        at now: Timestamp
    ) -> MailRefusal? {
        admissions.append(admission)
        if !waiting.contains(where: { $0.envelope == envelope }) {
            let number = UInt64(waiting.count + 1)
            waiting.append(WaitingEnvelope(number: number, envelope: envelope))
        }
        return nil
    }

    func waiting(
        for account: Address,
        device: Bytes32,
        after number: UInt64,
        limit: Int
    ) -> [WaitingEnvelope] {
        Array(waiting.filter { $0.number > number }.prefix(limit))
    }

    func vaultCost(of account: Address) -> Int { vaultCost }

    func setVaultCost(_ cost: Int) { vaultCost = cost }

    func vaultGaps(of account: Address) -> [VaultLogMark]? { nil }

    func vault(
        of account: Address,
        after marks: [VaultLogMark],
        limit: Int,
        byteCountMax: Int
    ) -> (held: [VaultLogMark], segments: [VaultSegment]) {
        let held = segments.map { VaultLogMark(device: $0.device, last: $0.number) }
        return (held, segments.filter { !marks.map(\.device).contains($0.device) })
    }

    func keep(_ segment: VaultSegment) -> MailRefusal? {
        segments.append(segment)
        return nil
    }

    func acknowledge(_ numbers: [UInt64], of account: Address, device: Bytes32) {
        waiting.removeAll { numbers.contains($0.number) }
    }
}
