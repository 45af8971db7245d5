import Gossip
import Keys
import Market

/// A ``MailRoom`` that forgets when it goes; it certifies every device it was told of.
actor MemoryMailRoom: MailRoom {
    private var leases: Set<Address> = []
    private var devices: [Bytes32: PublicKey] = [:]
    private var bundles: [Bytes32: PrekeyBundle] = [:]
    private var waiting: [WaitingEnvelope] = []

    init(devices: [PublicKey]) {
        for key in devices { self.devices[DeviceCertificate.slot(of: key)] = key }
    }

    var envelopes: [MailEnvelope] { waiting.map(\.envelope) }

    func facts(
        of account: Address,
        device: Bytes32?,
        at now: Timestamp
    ) -> MailDesk.Facts {
        MailDesk.Facts(
            isKeptHere: leases.contains(account),
            device: device.flatMap { devices[$0] },
            leases: leases.count
        )
    }

    func grant(_ lease: HomeLease, to account: Address) { leases.insert(account) }

    func keys(of account: Address) -> (bundles: [[UInt8]], records: [[UInt8]]) {
        (bundles.values.map(\.bytes), [])
    }

    func take(records: [[UInt8]], from origin: RecordOrigin, isAsked: Bool) {}

    func keep(_ bundle: PrekeyBundle) {
        bundles[DeviceCertificate.slot(of: bundle.device)] = bundle
    }

    func deposit(
        _ envelope: MailEnvelope,
        from depositor: PeerID,
        at now: Timestamp
    ) -> MailRefusal? {
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

    func acknowledge(_ numbers: [UInt64], of account: Address, device: Bytes32) {
        waiting.removeAll { numbers.contains($0.number) }
    }
}
