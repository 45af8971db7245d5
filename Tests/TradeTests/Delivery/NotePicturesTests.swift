import Answers
import Client
import Concurrency
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import MediaFiles
@testable import Trade

/// Pictures of notes on their way from node to node.
///
/// Trade and MediaFiles are imported as testable: no API makes a node of these parts.
@Suite(.timeLimit(.minutes(5)))
struct NotePicturesTests {
    /// The content of a picture; nothing here decodes it.
    private static func bytes(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: 5_000)
    }

    private static func add(_ count: Int, by party: NoteParty) async throws -> [String] {
        var ids: [String] = []
        for number in 1...count {
            let media = try await party.node.media.add(
                bytes(number),
                form: .jpeg,
                by: party.account
            )
            ids.append(media.id.hex)
        }
        return ids
    }

    /// The ids of the pictures that an account sees with the dispute.
    private static func seen(by party: NoteParty, in sale: WorkSale) async throws -> [String] {
        try await party.steps(of: sale).flatMap { $0.pictures ?? [] }
    }

    private static func open(
        _ id: String,
        of sale: WorkSale,
        by party: NoteParty
    ) async throws -> [UInt8] {
        let entered = sale.sample.reference.id.description
        return try await party.mail.pictures.picture(id, in: entered, for: party.account)
    }

    /// Sends a note with pictures under a key that opens none.
    private static func send(
        _ blobs: [Bytes32],
        by party: NoteParty,
        to reader: NoteParty,
        in dispute: NoteDispute
    ) async throws {
        let reference = dispute.sale.sample.reference
        let note = try MailNote(
            for: reference,
            transaction: WorkSale.transaction(3),
            text: "Broken",
            pictures: try blobs.map {
                try MailPicture(blob: $0, byteCount: 5_000, key: Bytes32(repeating: 7))
            }
        )
        let shown = try #require(party.node.index.sale(reference))
        let unlocked = try await party.node.chat.chat.unlockedAccount(party.account)
        try await party.mail.notes.send(note, in: shown, to: [reader.account], unlocked)
        await dispute.harness.runAll()
    }

    private static func code(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal.code.rawValue
        }
    }

    /// The bytes of an account's conversations, and of its files.
    private static func room(of party: NoteParty) throws -> (conversations: UInt64, files: UInt64) {
        try party.node.chat.store.read { transaction in
            let account = party.account
            return (
                try transaction.conversationBytes(of: account),
                try transaction.pinnedBytes(of: account)
            )
        }
    }

    @Test func `six pictures reach the other side, and later the arbiter`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, carla) = (dispute.ana, dispute.bo, dispute.carla)
            var sale = dispute.sale
            try await dispute.show(to: [ana, bo, carla, dispute.stranger])
            let added = try await Self.add(6, by: bo)
            for _ in 0..<2 {
                let sent = try await bo.disclose(
                    "See it",
                    added,
                    with: 3,
                    in: sale,
                    to: [ana.account]
                )
                #expect(sent == .done(nil))
            }
            await dispute.harness.runAll()
            let ids = try await Self.seen(by: ana, in: sale)
            #expect(ids.count == 6 && Set(ids).isDisjoint(with: added))
            #expect(try await Self.seen(by: bo, in: sale) == ids)
            #expect(try await Self.seen(by: carla, in: sale).isEmpty)
            #expect(try await ana.messagePictures() == [6])
            #expect(try await bo.messagePictures() == [6])

            let before = try Self.room(of: ana)
            for _ in 0..<6 { await ana.node.follower.runPicturePass() }
            let after = try Self.room(of: ana)
            #expect(after.conversations == before.conversations + 6 * 8_192)
            #expect(after.files == before.files + 6 * 8_192)

            sale.take(by: carla.account)
            dispute.sale = sale
            try await dispute.show(without: 4, to: [ana, bo, carla])
            await bo.node.delivery.forwardNotes(of: bo.account)
            await dispute.harness.runAll()
            #expect(try await Self.seen(by: carla, in: sale) == ids)
            // Ana's node has them, too.
            await dispute.harness.stop(bo.node.chat)
            for party in [ana, carla] {
                for (place, id) in ids.enumerated() {
                    #expect(try await Self.open(id, of: sale, by: party) == Self.bytes(place + 1))
                }
            }
            let strangers = try await Self.code {
                _ = try await Self.open(ids[0], of: sale, by: dispute.stranger)
            }
            #expect(strangers == "unknown_media")
        }
    }

    /// - From people: a note with more than six pictures, with one twice, or with one that the account
    ///   has not added or that is no picture → malformed_value
    @Test func `refuses a seventh picture, and files that are no pictures`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo) = (dispute.ana, dispute.bo)
            let added = try await Self.add(7, by: bo)
            let others = try await Self.add(1, by: ana)
            let document = try await bo.node.media.add([1, 2, 3], form: .pdf, by: bo.account)
            func refusal(_ ids: [String]) async throws -> Refusal? {
                do {
                    _ = try await bo.mail.plannedTexts.planned(
                        "Broken",
                        pictures: ids,
                        by: bo.account
                    )
                    return nil
                } catch let refusal as Refusal {
                    return refusal
                }
            }
            #expect(try await refusal(Array(added.prefix(6))) == nil)
            let seventh = try #require(try await refusal(added))
            #expect(seventh.detail == "At most 6 pictures go with a note, each once.")
            let twice = [added[0], added[0].uppercased().replacing("0X", with: "0x")]
            let bare = [added[0], String(added[0].dropFirst(2))]
            let wrong = [added, twice, bare, [document.id.hex], ["0x12"], [Bytes32.zero.hex]]
            for ids in wrong {
                let refused = try await refusal(ids)
                #expect(refused?.code == .malformedValue && refused?.field == "pictures")
            }
            // The same bytes are the same picture; Ana's are not Bo's if Bo has not added them.
            try await bo.node.chat.store.write { transaction in
                for id in added {
                    try transaction.unpin(Bytes32(hex: id) ?? .zero, for: bo.account)
                }
            }
            #expect(try await refusal(others)?.code == .malformedValue)
        }
    }

    @Test func `refuses a note for good that no rule allows`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, sale) = (dispute.ana, dispute.bo, dispute.sale)
            try await dispute.show(to: [ana, bo])
            let long = String(repeating: "x", count: MailNote.textByteCountMax + 1)
            let code = try await Self.code {
                _ = try await bo.disclose(long, with: 3, in: sale, to: [ana.account])
            }
            #expect(code == "malformed_value")
        }
    }

    @Test func `a note waits for a picture that was removed in the meantime`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, sale) = (dispute.ana, dispute.bo, dispute.sale)
            try await dispute.show(to: [ana, bo])
            let added = try await Self.add(1, by: bo)
            let planned = try await bo.planned("See it", added, in: sale, to: [ana.account])
            let id = try #require(Bytes32(hex: added[0]))
            _ = try await bo.node.media.release(id, by: bo.account)
            guard case .later(let reason) = try await bo.disclose(planned, with: 3) else {
                Issue.record("the note was sent without its picture")
                return
            }
            #expect(reason.map(\.code) == ["refusal.notePictureNotAdded"])
            _ = try await Self.add(1, by: bo)
            #expect(try await bo.disclose(planned, with: 3) == .done(nil))
            await dispute.harness.runAll()
            #expect(try await Self.seen(by: ana, in: sale).count == 1)
        }
    }

    /// - From peers: a picture of a note that does not open under its key → bad_media, and nothing is
    ///   kept
    @Test func `keeps nothing of a picture that does not open`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, sale) = (dispute.ana, dispute.bo, dispute.sale)
            try await dispute.show(to: [ana, bo])
            let sealed = try await bo.node.media.add(Self.bytes(9), form: .sealed, by: bo.account)
            let absent = Bytes32(repeating: 8)
            try await Self.send([sealed.id, absent], by: bo, to: ana, in: dispute)
            let before = try Self.room(of: ana)
            for _ in 0..<3 { await ana.node.follower.runPicturePass() }
            for (id, code) in [(sealed.id, "bad_media"), (absent, "unknown_media")] {
                let refused = try await Self.code {
                    _ = try await Self.open(id.hex, of: sale, by: ana)
                }
                #expect(refused == code)
            }
            #expect(try Self.room(of: ana) == before)
            #expect(try await ana.notes(in: sale) == [3: "Broken"])
        }
    }

    /// - From peers: a picture of a note that names, under a wrong key, a file that the account is
    ///   about to keep → bad_media, and the file stays
    @Test func `a picture that does not open releases no other file`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo, sale) = (dispute.ana, dispute.bo, dispute.sale)
            try await dispute.show(to: [ana, bo])
            let sealed = try await ana.node.media.add(
                Self.bytes(9),
                form: .sealed,
                by: ana.account
            )
            try await Self.send([sealed.id], by: bo, to: ana, in: dispute)
            let refused = try await Self.code {
                _ = try await Self.open(sealed.id.hex, of: sale, by: ana)
            }
            #expect(refused == "bad_media")
            let isKept = try ana.node.chat.store.read {
                try $0.isMediaAdded(sealed.id, by: ana.account)
            }
            #expect(isKept)
        }
    }

    /// - From peers: a note whose pictures no peer sends → they wait in a loop of their own
    @Test func `pictures that a peer never sends do not hold up works`() async throws {
        try await NoteDispute.run { dispute in
            let (ana, bo) = (dispute.ana, dispute.bo)
            try await dispute.show(to: [ana, bo])
            let dead = (1...6).map { Bytes32(repeating: $0) }
            try await Self.send(dead, by: bo, to: ana, in: dispute)
            let asked = BoundedQueue<Void>(elementsMax: 16)
            await bo.node.chat.links.handle(protocol: BlobExchange.protocolID) { stream in
                var frames = stream.messages(bytesMax: 64)
                while try await frames.next() != nil { _ = asked.offer(()) }
            }
            let follower = ana.node.follower
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await follower.runPicturePass() }
                _ = await asked.receive()
                await follower.runPass()
                group.cancelAll()
            }
        }
    }
}
