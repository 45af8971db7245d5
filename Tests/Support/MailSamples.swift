package import GossipProtocol
package import Keys
package import Market

/// Accounts, devices and messages shared by the mail tests.
package enum MailSamples {
    package static let network = "test"
    package static let ana = key("ana")
    package static let bo = key("bo")
    package static let anasPhone = key("ana's phone")
    package static let home = key("home")
    package static let homePeer = NodeKey.peer(of: home.publicKey)
    package static let now = Timestamp(milliseconds: 1_763_700_000_000)
    package static let phone = DeviceCertificate.slot(of: anasPhone.publicKey)
    package static let prekey = Prekey.random()

    /// Returns a key that is the same in every run.
    package static func key(_ name: String) -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: Keccak256.hash(name.utf8).bytes)) else {
            preconditionFailure("a hash is a key but once in 2¹²⁸")
        }
        return key
    }

    package static func bundle(network: String = network, at time: Timestamp = now) throws
        -> PrekeyBundle
    {
        try PrekeyBundle(
            network: network,
            account: ana.address,
            createdAt: time,
            keys: [
                PrekeyBundle.Key(
                    id: 1,
                    key: prekey.publicKey,
                    validUntil: time.advanced(by: .days(14)),
                    isLastResort: false
                )
            ],
            signedBy: anasPhone
        )
    }

    /// Returns a sealed message from Bo to Ana's phone.
    package static func envelope(
        _ number: UInt64 = 1,
        expiresAt: Timestamp = now.advanced(by: .days(30))
    ) throws -> MailEnvelope {
        let device = key("bo's phone")
        let message = MailMessage(
            network: network,
            sender: bo.address,
            device: device.publicKey,
            recipient: ana.address,
            listing: nil,
            number: number,
            sentAt: now,
            body: .text("Is it still there?")
        )
        let header = MailEnvelope.Header(
            recipient: ana.address,
            device: phone,
            prekey: 1,
            expiresAt: expiresAt
        )
        return try .seal(message.signed(by: device), under: header, to: prekey.publicKey)
    }

    /// What somebody has of two devices' logs.
    package static let marks = [
        VaultLogMark(device: Bytes32(repeating: 1), last: 1),
        VaultLogMark(device: Bytes32(repeating: 2), last: .max),
    ]

    /// Returns a segment of a vault.
    package static func segment(of account: PrivateKey = ana) throws -> VaultSegment {
        var log = VaultLog(device: phone)
        let parts = log.compact(VaultContents())
        guard let part = parts.first else { throw VaultFault.malformed }
        return VaultSegment(
            part,
            of: account.address,
            network: network,
            key: VaultKey(of: account),
            signer: anasPhone
        )
    }

    /// Limits of homes that demand no work from strangers.
    package static var freeLimits: MailLimits {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork) = (0, 0)
        return limits
    }

    package static func mailServer(acceptsHomes: Bool = true, limits: MailLimits = freeLimits)
        -> MailServer
    {
        MailServer(home: homePeer, network: network, acceptsHomes: acceptsHomes, limits: limits)
    }

    package static let known = MailServer.Facts(isKeptHere: true, device: anasPhone.publicKey)
    package static let unknown = MailServer.Facts(isKeptHere: false)

    package static func request(
        to home: PeerID = homePeer,
        network: String = network,
        at time: Timestamp = now
    ) -> LeaseRequest {
        LeaseRequest(by: ana, to: home, network: network, at: time)
    }
}
