import Keys
import Market

@testable import Gossip
@testable import GossipProtocol

// What peers send over a link. Gossip is imported as testable, because some messages are only read
// by its services.

extension FuzzTarget {
    static let rpc = FuzzTarget("rpc") { bytes in
        let limits = GossipLimits()
        guard let frame = GossipRPC(decoding: bytes, limits: limits) else { return false }
        let encoded = frame.encoded()
        try hold(
            GossipRPC(decoding: encoded, limits: limits) == frame,
            "a frame that is written again says the same"
        )
        try hold(encoded.count <= frame.byteCountMax, "a frame's bound holds")
        var parts = GossipRPC()
        for part in frame.frames(limits: limits) {
            try hold(part.count <= limits.sentFrameBytesMax, "a sent frame is not too long")
            guard let part = GossipRPC(decoding: part, limits: limits) else {
                throw FuzzFault(description: "a sent frame is read")
            }
            parts.messages += part.messages
            parts.wanted += part.wanted
            parts.meshChanges += part.meshChanges
        }
        try hold(
            parts.messages == frame.messages && parts.wanted == frame.wanted
                && parts.meshChanges == frame.meshChanges,
            "frames together say what one says"
        )
        return true
    }

    /// Questions and answers of the exchange of records.
    static let exchange = FuzzTarget("exchange") { bytes in
        let limits = ExchangeLimits()
        let question = RecordQuestion(decoding: bytes, limits: limits)
        if let question {
            try hold(
                RecordQuestion(decoding: question.encoded(), limits: limits) == question,
                "a question that is written again says the same"
            )
        }
        let answer = RecordAnswer(decoding: bytes, limits: limits)
        if let answer {
            try hold(
                RecordAnswer(decoding: answer.encoded(), limits: limits) == answer,
                "an answer that is written again says the same"
            )
            try hold(answer.unheld >= 0, "no more records come than were wanted")
        }
        return question != nil || answer != nil
    }

    /// Questions and answers of the exchange of blobs.
    static let blob = FuzzTarget("blob") { bytes in
        let question = BlobQuestion(bytes, limits: BlobExchangeLimits())
        if let question { try hold(question.bytes == bytes, "a question has one encoding") }
        let answer = BlobAnswer(bytes)
        if let answer {
            try hold(answer.bytes == bytes, "an answer has one encoding")
            try hold(
                answer.framed == Varint.encode(bytes.count) + bytes,
                "a sent answer has its length before it"
            )
            if case .chunk(let chunk) = answer {
                let leaf = BlobHash.leaf(chunk.bytes)
                let isWhole = chunk.length.chunkCount == 1 && chunk.proof.isEmpty
                let isProved = chunk.isProved(of: leaf)
                try hold(!isProved || isWhole, "only a whole file is its own proof")
            }
        }
        return question != nil || answer != nil
    }

    /// A certificate, and the key in its extension.
    static let certificate = FuzzTarget("certificate", byteCountMax: 1_024) { bytes in
        if let signed = SignedKey(der: bytes) {
            try hold(signed.der == bytes, "a signed key has one encoding")
            return true
        }
        if let key = try? HostKey(message: bytes) {
            try hold(key.message == bytes, "a key has one encoding")
            try hold(
                PeerIDText.peer(multihash: key.peer.multihash) == key.peer,
                "a key's peer id is one"
            )
            return true
        }
        return (try? CertificateCheck.hostKey(der: bytes, at: now)) != nil
    }

    /// A peer's description of itself, and its signed addresses.
    static let identify = FuzzTarget("identify") { bytes in
        if let record = try? PeerRecord(envelope: bytes) {
            let own = PeerRecord(
                peer: HostKey(FuzzKeys.device.publicKey).peer,
                sequence: record.sequence,
                addresses: record.addresses
            )
            let again = try PeerRecord(envelope: own.sealed(with: FuzzKeys.device))
            try hold(again == own, "addresses that are signed again are the same")
            return true
        }
        let key = HostKey(FuzzKeys.device.publicKey)
        guard let description = try? PeerDescription(bytes, from: key.peer) else { return false }
        let again = try PeerDescription(description.message(key: key), from: key.peer)
        try hold(again == description, "a description that is written again says the same")
        return true
    }

    /// An address in bytes and as text, and the names in it.
    static let multiaddr = FuzzTarget("multiaddr", byteCountMax: 256) { bytes in
        var isTaken = false
        if let address = Multiaddr(bytes: bytes) {
            try hold(address.bytes == bytes, "an address has one encoding")
            try hold(
                Multiaddr(text: address.description) == address,
                "an address reads its own text"
            )
            isTaken = true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let address = Multiaddr(text: text) {
            try hold(Multiaddr(bytes: address.bytes) == address, "an address reads its own bytes")
            isTaken = true
        }
        if let peer = PeerIDText.peer(from: text) {
            try hold(PeerIDText.peer(from: peer.text) == peer, "a peer id reads its own text")
            isTaken = true
        }
        if let address = IPAddress(ip6: text) {
            try hold(IPAddress(ip6: address.text) == address, "an address reads its own text")
            isTaken = true
        }
        if let decoded = Base58.decode(text) {
            try hold(Base58.encode(decoded) == text, "bytes have one text")
        }
        return isTaken
    }

    /// A time within the certificates of the corpus.
    private static let now: Int64 = 2_000_000_000
}
