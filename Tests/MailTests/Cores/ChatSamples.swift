import Keys
import Mail
import Market
import Storage
import Support

/// Times, accounts, homes and envelopes for the tests of chat's pure cores.
enum ChatSamples {
    static let settings = ChatSettings(network: "test", deviceName: "test")
    static let ana = account(1)
    static let bo = account(2)

    /// A time after the start of the test.
    static func time(_ seconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: 1_763_700_000_000 + seconds * 1_000)
    }

    static func account(_ number: UInt8) -> Address { testKey(number).publicKey.address }

    static func home(_ number: UInt8) -> PeerID { NodeKey.peer(of: testKey(number).publicKey) }

    static func lease(
        at number: UInt8,
        of account: Address = ana,
        until end: Timestamp = time(86_400)
    ) throws -> HomeLease {
        try HomeLease(
            peer: home(number),
            addresses: ["/ip4/10.0.0.1/tcp/4001"],
            quotaByteCount: 1,
            until: end,
            account: account,
            key: testKey(number)
        )
    }

    static func envelope(_ number: UInt64) -> EnvelopeKey {
        EnvelopeKey(recipient: ana, device: Bytes32(repeating: 1), number: number)
    }

    /// A message of Bo's device to Ana.
    static func message(
        _ body: MailMessage.Body,
        from sender: Address = bo,
        to recipient: Address = ana,
        number: UInt64 = 1,
        grant: MailGrant? = nil
    ) -> MailMessage {
        MailMessage(
            network: "test",
            sender: sender,
            device: testKey(9).publicKey,
            recipient: recipient,
            listing: nil,
            number: number,
            sentAt: time(0),
            body: body,
            grant: grant
        )
    }
}
