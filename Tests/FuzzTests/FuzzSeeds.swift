import Foundation
import Keys
import Market
import Support

@testable import Gossip
@testable import GossipProtocol

/// An example of each form that the fuzz targets read, as this node writes it.
///
/// Gossip is imported as testable, because only its links make certificates.
enum FuzzSeeds {
    private static let network = "test"
    private static let now = Timestamp(milliseconds: 1_763_700_000_000)
    private static let device = testKey(1)
    private static let (ana, bo) = (testKey(3), testKey(4))
    private static let slot = DeviceCertificate.slot(of: device.publicKey)
    private static let blobChunk = [UInt8](repeating: 7, count: 100)

    /// Returns the seeds of the target of this name.
    static func of(_ target: String) throws -> [[UInt8]] {
        switch target {
        case "record": try records().map(\.bytes)
        case "payload": try records().map { [$0.kind.rawValue] + $0.content.payload }
        case "mail": try mail()
        case "home": try home()
        case "vault": try vault()
        case "yamux": yamux()
        case "negotiation": negotiation()
        case "certificate": try certificates()
        case "identify": try descriptions()
        case "multiaddr": addresses()
        case "rpc": frames()
        case "exchange": exchange()
        case "blob": blobs()
        case "rlp": try ChainSeeds.rlp()
        case "abi": try ChainSeeds.abi()
        case "answer": ChainSeeds.answers()
        case "keystore": try keystores()
        case "picture": pictures()
        default: []
        }
    }

    // MARK: Market

    private struct Vector: Decodable { let bytes: String }

    private static func records() throws -> [SignedRecord] {
        let file = URL(filePath: #filePath).appending(path: "../../Vectors/records.json")
        return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file.standardized))
            .map { try UnverifiedRecord(Hex.decode($0.bytes) ?? []).verified() }
    }

    private static let bodies: [MailMessage.Body] = {
        var numbers = NumberRanges()
        for number in [1, 2, 300] as [UInt64] { numbers.insert(number) }
        return [
            .text("Is it still there?"),
            .receipt([MailMark(device: slot, delivered: numbers, readThrough: 2)]),
            .exception(MailException(listing: slot)),
            .unknown(UnknownMailBody(field: 99, content: [1, 2, 3])),
            .priceOffer(
                MailPriceOffer(
                    for: SaleReference(
                        contract: ContractReference(chain: ChainID(1), address: ana.address),
                        id: SaleID(slot)
                    ),
                    try? MailPriceOffer.Content(
                        price: SaleLimits.priceMin,
                        until: ChainTime(seconds: 1_800_000_000),
                        paymentSeconds: 3_600
                    )
                )
            ),
        ]
    }()

    private static func message(_ body: MailMessage.Body) throws -> SignedMail {
        try MailMessage(
            network: network,
            sender: bo.address,
            device: device.publicKey,
            recipient: ana.address,
            listing: slot,
            number: 1,
            sentAt: now,
            body: body,
            grant: MailGrant(id: slot, under: .zero)
        ).signed(by: device)
    }

    private static func envelope() throws -> MailEnvelope {
        let header = MailEnvelope.Header(
            recipient: ana.address,
            device: slot,
            prekey: 1,
            expiresAt: now
        )
        let key = Prekey.random().publicKey
        return try .seal(message(.text("Is it still there?")), under: header, to: key)
    }

    private static func bundle() throws -> PrekeyBundle {
        let key = PrekeyBundle.Key(
            id: 1,
            key: Prekey.random().publicKey,
            validUntil: now,
            isLastResort: true
        )
        return try PrekeyBundle(
            network: network,
            account: ana.address,
            createdAt: now,
            keys: [key],
            signedBy: device
        )
    }

    private static func mail() throws -> [[UInt8]] {
        try bodies.map { try message($0).bytes } + [envelope().bytes, bundle().bytes]
    }

    private static func home() throws -> [[UInt8]] {
        let (peer, signature) = (HostKey(device.publicKey).peer, device.sign(slot))
        let marks = [VaultLogMark(device: .zero, last: 1), VaultLogMark(device: slot, last: .max)]
        let lease = try HomeLease(
            peer: peer,
            addresses: ["/ip4/192.0.2.1/tcp/4001"],
            quotaByteCount: 1 << 20,
            until: now,
            account: ana.address,
            key: device
        )
        let request = LeaseRequest(by: ana, to: peer, network: network, at: now)
        let deposit = MailDeposit(
            try envelope(),
            under: MailGrant(id: slot, under: .zero),
            to: peer
        )
        let questions: [MailQuestion] = [
            .lease(request), .keys(of: ana.address), .publish(try bundle(), records: [[1], [2]]),
            .deposit(deposit), .open(ana.address, device: slot), .prove(signature),
            .collect(after: 7), .acknowledge([1, 300]), .grants(slot, ended: [.zero, slot]),
            .vault(after: marks), .keep(try segment()),
        ]
        let answers: [MailAnswer] = [
            .refused(.full), .lease(lease), .keys(bundles: [try bundle().bytes], records: [[1]]),
            .done, .held(signature), .challenge(slot), .workWanted(1 << 20),
            .collected([WaitingEnvelope(number: 1, envelope: try envelope(), origin: slot)]),
            .vault(marks, [try segment()]),
        ]
        return questions.map(\.bytes) + answers.map(\.bytes)
    }

    private static func entries() throws -> [VaultEntry] {
        try (1...3).map { number in
            try VaultEntry(
                section: .favourites,
                name: [UInt8](repeating: number, count: 20),
                value: number == 2 ? nil : [number],
                time: now,
                device: slot
            )
        }
    }

    private static func segment(signedBy signer: PrivateKey? = device) throws -> VaultSegment {
        var log = VaultLog(device: slot)
        guard let part = log.append(try entries()).first else { throw VaultFault.malformed }
        return VaultSegment(
            part,
            of: ana.address,
            network: network,
            key: FuzzKeys.vault,
            signer: signer
        )
    }

    private static func vault() throws -> [[UInt8]] {
        [
            try segment().bytes, try segment(signedBy: nil).bytes,
            VaultCoding.bytes(of: try entries()), VaultCoding.bytes(of: []),
        ]
    }

    // MARK: Gossip

    private static func yamux() -> [[UInt8]] {
        let opened = YamuxFrame(kind: .windowUpdate, flags: .open, stream: 1).bytes
        let sent = YamuxFrame(kind: .data, stream: 1, value: 5).bytes + Array("hello".utf8)
        let finished = YamuxFrame(kind: .windowUpdate, flags: .finish, stream: 1).bytes
        let ping = YamuxFrame(kind: .ping, flags: .open, value: 7).bytes
        let pong = YamuxFrame(kind: .ping, flags: .acknowledge, value: 0).bytes
        let opensOwn = YamuxFrame(kind: .data, flags: .acknowledge, stream: 2, value: 3).bytes
        let reset = YamuxFrame(kind: .windowUpdate, flags: .reset, stream: 1).bytes
        return [
            [255] + opened + sent + finished, [5] + ping + pong + opened + sent + reset,
            [12] + opensOwn + [1, 2, 3] + YamuxFrame(kind: .goAway).bytes,
        ]
    }

    private static func negotiation() -> [[UInt8]] {
        let lines = [Multistream.header, "/stoa/other/1", "/stoa/blob/1"].map(Multistream.line)
        let answers = [Multistream.header, Multistream.refusal, "/stoa/blob/1"].map(
            Multistream.line
        )
        return [
            [255] + lines.flatMap(\.self) + [1, 2, 3], [3] + answers.flatMap(\.self) + [4, 5],
        ]
    }

    private static func certificates() throws -> [[UInt8]] {
        let key = HostKey(device.publicKey)
        let signed = SignedKey(key: key.message, signature: HostKey.sign([1], with: device))
        return [try HostCertificate(identity: device).certificate, signed.der, key.message]
    }

    private static func descriptions() throws -> [[UInt8]] {
        let key = HostKey(device.publicKey)
        let addresses = addresses().compactMap { Multiaddr(bytes: $0) }
        let record = PeerRecord(peer: key.peer, sequence: 7, addresses: addresses)
        let sealed = record.sealed(with: device)
        let description = PeerDescription(
            protocols: ["/stoa/mail/1"],
            addresses: addresses,
            observedAddress: addresses.first,
            protocolVersion: "stoa/1",
            agentVersion: "stoa",
            sealedRecord: sealed,
            record: record
        )
        return [description.message(key: key), sealed]
    }

    private static func addresses() -> [[UInt8]] {
        let peer = HostKey(device.publicKey).peer.text
        let texts = [
            "/ip4/192.0.2.1/tcp/4001", "/ip6/2001:db8::1/tcp/4001/p2p/\(peer)",
            "/dns/example.org/tcp/443", "/dns4/example.org/tcp/443/p2p/\(peer)",
        ]
        return texts.map { Array($0.utf8) } + texts.compactMap { Multiaddr(text: $0)?.bytes }
            + [peer, "2001:db8::1"].map { Array($0.utf8) }
    }

    private static func frames() -> [[UInt8]] {
        let topic = Topic("/stoa/test/1")
        var control = GossipRPC()
        control.subscriptions = [.init(topic: topic, isWanted: true)]
        control.announcements = [.init(topic: topic, ids: [MessageID(bytes: [3])])]
        control.wanted = [MessageID(bytes: [4]), MessageID(bytes: [0xFF, 0])]
        control.meshChanges = [.graft(topic), .prune(topic, backoffSeconds: 60)]
        var messages = GossipRPC()
        messages.messages = [
            GossipMessage(topic: topic, data: [1, 2]),
            MessagePolicy.strictSign(device).message([3], on: topic, sequence: 9),
        ]
        return [control.encoded(), messages.encoded()]
    }

    private static func exchange() -> [[UInt8]] {
        let (topic, ids) = (Topic("/stoa/test/1"), [RecordID(.zero), RecordID(slot)])
        return [
            RecordQuestion.page(topic, after: ids[1], idsMax: 100).encoded(),
            RecordQuestion.page(topic, after: nil, idsMax: 100).encoded(),
            RecordQuestion.want(topic, ids, bytesMax: 1 << 16).encoded(),
            RecordAnswer.page(ids, isLast: true).encoded(),
            RecordAnswer.batch([[1], [2, 3]], covered: 3).encoded(),
        ]
    }

    private static func blobs() -> [[UInt8]] {
        guard let whole = BlobLength(blobChunk.count), let long = BlobLength(200_000) else {
            return []
        }
        let proof = [slot, Bytes32.zero]
        return [
            BlobQuestion(id: slot, chunks: 1..<4).bytes,
            BlobAnswer.refused(.unheld).bytes,
            BlobAnswer.chunk(BlobChunk(length: whole, index: 0, bytes: blobChunk, proof: [])).bytes,
            BlobAnswer.chunk(BlobChunk(length: long, index: 2, bytes: blobChunk, proof: proof))
                .bytes,
        ]
    }

    // MARK: Files

    private static func keystores() throws -> [[UInt8]] {
        let sealed = try Keystore.seal(device, password: SecretBytes(text: "right"), cost: .light)
        let other = """
            {"Crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"\(Hex.encode([UInt8](repeating: 1, count: 16)))"},
            "ciphertext":"\(slot.hex.dropFirst(2))","kdf":"pbkdf2","kdfparams":{"c":1000,"dklen":32,
            "prf":"hmac-sha256","salt":"00ff"},"mac":"\(slot.hex.dropFirst(2))"},"version":3}
            """
        return [sealed, Array(other.utf8)]
    }

    private static func pictures() -> [[UInt8]] {
        [
            MediaSamples.png(3, 2), MediaSamples.jpeg(4, 3, segments: MediaSamples.cameraSegments),
            MediaSamples.webp([("VP8 ", MediaSamples.webpPixels(8, 8))]),
            MediaSamples.webp([
                ("VP8X", MediaSamples.webpHeader(0x08, 8, 8)), ("EXIF", MediaSamples.cameraData),
                ("VP8 ", MediaSamples.webpPixels(8, 8)),
            ]),
            MediaSamples.pdf(),
            MediaSamples.png(
                3,
                2,
                chunks: [("iCCP", MediaSamples.packedProfile(MediaSamples.profile()))]
            ),
            MediaSamples.jpeg(
                4,
                3,
                components: 3,
                segments: MediaSamples.profileSegments(MediaSamples.profile(), partBytes: 100)
            ),
        ]
    }
}
