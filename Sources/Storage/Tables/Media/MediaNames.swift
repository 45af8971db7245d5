package import Keys
package import Market

/// Which files the stored records name, by the file's id; kept in step with the records.
enum MediaNames: Table {
    typealias Key = MediaNameKey
    typealias Value = EmptyValue
    static let name = "media-names"
}

/// A file's id, length and declared type, and a record that names it so.
struct MediaNameKey: TableKey {
    let media: Media
    let record: RecordID

    func write(to writer: inout ByteWriter) {
        writer.write(media.id, UInt32(clamping: media.byteCount), media.form.stored, record)
    }

    init(_ media: Media, by record: RecordID) { (self.media, self.record) = (media, record) }

    init(from reader: inout ByteReader) throws(FormError) {
        let id: Bytes32 = try reader.read()
        let byteCount = UInt64(try reader.read() as UInt32)
        guard let form = Media.Form(stored: try reader.read()) else { throw FormError() }
        media = Media(id: id, byteCount: byteCount, form: form)
        record = try reader.read()
    }
}

extension Media.Form {
    /// The number under which a type is stored; it must never change.
    var stored: UInt8 {
        switch self {
        case .jpeg: 1
        case .png: 2
        case .webp: 3
        case .pdf: 4
        case .sealed: 5
        }
    }

    init?(stored: UInt8) {
        switch stored {
        case 1: self = .jpeg
        case 2: self = .png
        case 3: self = .webp
        case 4: self = .pdf
        default: return nil
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Whether a stored record names the file, so that anybody may have it.
    package func isMediaNamed(_ id: Bytes32) throws -> Bool {
        var isNamed = false
        try scanKeys(MediaNames.self, .prefix(id)) { key in
            isNamed = try hasRecord(key.record)
            return !isNamed
        }
        return isNamed
    }

    /// Whether a stored record of the account names the file.
    package func isMediaNamed(_ id: Bytes32, by account: Address) throws -> Bool {
        var isNamed = false
        try scanKeys(MediaNames.self, .prefix(id)) { key in
            isNamed = try record(key.record)?.version.key.author == account
            return !isNamed
        }
        return isNamed
    }

    /// Returns the stored records' statements about a file, one entry per length: first those of
    /// anchored records, then those of most records.
    ///
    /// Only one length is right, but this node cannot know which before it has the file. It
    /// considers only a few of them, so that records with wrong lengths cannot make it try for
    /// ever. Open records cost little, so they cannot come before those that a sale vouches for.
    package func mediaNamed(_ id: Bytes32, limit: Int = 4) throws -> [Media] {
        var words: [(media: Media, anchored: Int, open: Int)] = []
        for key in try keys(MediaNames.self, .prefix(id), limit: Self.namesReadMax)
        where try hasRecord(key.record) {
            let place = words.firstIndex { $0.media.byteCount == key.media.byteCount }
            if place == nil { words.append((key.media, 0, 0)) }
            let isAnchored = try contains(AnchoredRecords.self, key.record)
            if isAnchored {
                words[place ?? words.count - 1].anchored += 1
            } else {
                words[place ?? words.count - 1].open += 1
            }
        }
        let ranked = words.enumerated().sorted { one, other in
            (other.element.anchored, other.element.open, one.offset)
                < (one.element.anchored, one.element.open, other.offset)
        }
        return ranked.prefix(limit).map(\.element.media)
    }

    /// Whether an anchored record names the file.
    package func isMediaAnchored(_ id: Bytes32) throws -> Bool {
        for key in try keys(MediaNames.self, .prefix(id), limit: Self.namesReadMax)
        where try contains(AnchoredRecords.self, key.record) { return true }
        return false
    }

    /// Names read of one file; a record names a file once.
    private static var namesReadMax: Int { 1_000 }
}

extension WriteTransaction {
    /// Records the files that a record names.
    mutating func nameMedia(_ media: [Media], by record: RecordID) throws(StorageError) {
        for media in media {
            try put(MediaNames.self, MediaNameKey(media, by: record), EmptyValue())
        }
    }

    /// Forgets the files that a record named.
    mutating func unnameMedia(of record: StoredRecord) throws(StorageError) {
        for media in record.media {
            try remove(MediaNames.self, MediaNameKey(media, by: record.version.id))
        }
    }
}

extension StoredRecord {
    /// The files that the record names; none if today's rules refuse the record.
    ///
    /// A later version's rules may find fewer here than were noted, so readers of the index look
    /// whether the record is still stored.
    var media: [Media] {
        guard version.key.kind != .device, let record = try? SignedRecord(stored: bytes) else {
            return []
        }
        return record.content.media
    }
}
