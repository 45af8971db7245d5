import CPlaces
import Foundation

/// The towns of the world that a place is chosen from, largest first, with a sorted index of their
/// names.
///
/// The table is one array of bytes, which `Scripts/places` makes; towns are read from it directly.
/// Source: Docs/page.md, section 6.1.
package struct PlaceTable: Sendable {
    private static let magic = Array("STOATOWN".utf8)
    private static let townBytes = 14
    private static let keyBytes = 5

    private let bytes: [UInt8]
    package let townCount: Int
    private let keyCount: Int
    private let countries: [(code: String, name: PlaceEntry.Name)]
    private let regions: [PlaceEntry.Name]
    private let townsStart: Int
    private let keysStart: Int
    private let textsStart: Int

    /// - Throws: ``DamagedPlaceTable``
    package init(_ bytes: [UInt8]) throws(DamagedPlaceTable) {
        var rest = HeadReader(bytes: bytes)
        guard bytes.starts(with: Self.magic) else { throw DamagedPlaceTable() }
        rest.place = Self.magic.count
        townCount = try rest.number(4)
        keyCount = try rest.number(4)
        let (countryCount, regionCount) = (try rest.number(2), try rest.number(2))
        var countries: [(code: String, name: PlaceEntry.Name)] = []
        for _ in 0..<countryCount {
            countries.append((try rest.text(length: 2), try rest.name()))
        }
        var regions: [PlaceEntry.Name] = []
        for _ in 0..<regionCount { regions.append(try rest.name()) }
        (self.countries, self.regions) = (countries, regions)
        townsStart = rest.place
        keysStart = townsStart + townCount * Self.townBytes
        textsStart = keysStart + keyCount * Self.keyBytes
        guard textsStart < bytes.count else { throw DamagedPlaceTable() }
        self.bytes = bytes
    }

    /// The table in the program, copied when it is first used.
    package static let world: PlaceTable = {
        let bytes = unsafe UnsafeRawBufferPointer(
            start: stoa_places_bytes(),
            count: stoa_places_length()
        )
        do {
            return try PlaceTable(unsafe Array(bytes))
        } catch {
            preconditionFailure("the table of towns is damaged: run Scripts/setup")
        }
    }()

    /// A town by its rank, from 0 for the largest.
    package subscript(rank: Int) -> PlaceEntry {
        let start = townsStart + rank * Self.townBytes
        let (name, korean) = texts(at: number(3, at: start))
        let region = Int(bytes[start + 13])
        let country = countries[Int(bytes[start + 12])]
        let point = point(ofRank: rank)
        return PlaceEntry(
            name: PlaceEntry.Name(english: name, korean: korean),
            region: region == 0 ? nil : regions[region - 1],
            country: country.code,
            countryName: country.name,
            latitude: point.latitude,
            longitude: point.longitude,
            population: number(3, at: start + 9) * 10
        )
    }

    package func point(ofRank rank: Int) -> (latitude: Double, longitude: Double) {
        let start = townsStart + rank * Self.townBytes
        return (
            Double(number(3, at: start + 3) - 900_000) / 10_000,
            Double(number(3, at: start + 6) - 1_800_000) / 10_000
        )
    }

    /// Returns the ranks of the towns that have a name which begins with a key, and whether it is
    /// the whole name.
    package func ranks(ofPrefix key: String) -> [Int: Bool] {
        let lower = Array(key.utf8)
        guard let upper = Self.end(ofPrefix: key) else { return [:] }
        var found: [Int: Bool] = [:]
        for index in first(from: lower)..<first(from: upper) {
            let isWhole = textLength(ofKey: index) == lower.count
            found[rank(ofKey: index), default: false] = found[rank(ofKey: index)] == true || isWhole
        }
        return found
    }

    /// Returns the keys of a rank, in order; the tests compare them with the names.
    package func keys() -> [(key: String, rank: Int)] {
        (0..<keyCount).map { (String(decoding: text(ofKey: $0), as: UTF8.self), rank(ofKey: $0)) }
    }

    /// The first text after all that begin with a prefix.
    ///
    /// The last syllable of a Korean word that is still being typed may get a final consonant, with
    /// which it is one of the next 27 characters.
    private static func end(ofPrefix key: String) -> [UInt8]? {
        guard let last = key.unicodeScalars.last else { return nil }
        let isOpenSyllable =
            (0xAC00...0xD7A3).contains(last.value) && (last.value - 0xAC00) % 28 == 0
        let next = last.value + (isOpenSyllable ? 28 : 1)
        guard let end = Unicode.Scalar(next == 0xD800 ? 0xE000 : next) else { return nil }
        var text = String.UnicodeScalarView(key.unicodeScalars.dropLast())
        text.append(end)
        return Array(String(text).utf8)
    }

    /// Returns the first key that is not before a text.
    private func first(from text: [UInt8]) -> Int {
        var (low, high) = (0, keyCount)
        while low < high {
            let middle = (low + high) / 2
            if self.text(ofKey: middle).lexicographicallyPrecedes(text) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func rank(ofKey index: Int) -> Int {
        number(2, at: keysStart + index * Self.keyBytes + 3)
    }

    private func textLength(ofKey index: Int) -> Int {
        Int(bytes[textsStart + number(3, at: keysStart + index * Self.keyBytes)])
    }

    /// The text of a key; a name that is one has capitals.
    private func text(ofKey index: Int) -> some Collection<UInt8> {
        let start = textsStart + number(3, at: keysStart + index * Self.keyBytes)
        return bytes[start + 1..<start + 1 + Int(bytes[start])].lazy.map { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
        }
    }

    /// The text at a place, and the one behind it; `nil` if that is empty.
    private func texts(at place: Int) -> (String, String?) {
        let first = textsStart + place
        let second = first + 1 + Int(bytes[first])
        let (end, last) = (second + 1 + Int(bytes[second]), bytes[second])
        return (
            String(decoding: bytes[first + 1..<second], as: UTF8.self),
            last == 0 ? nil : String(decoding: bytes[second + 1..<end], as: UTF8.self)
        )
    }

    private func number(_ count: Int, at start: Int) -> Int {
        var number = 0
        for byte in bytes[start..<start + count] { number = number << 8 | Int(byte) }
        return number
    }
}

/// The table in the program is not one that `Scripts/places` makes.
package struct DamagedPlaceTable: Error {}

/// Reads the head of a table.
private struct HeadReader {
    let bytes: [UInt8]
    var place = 0

    mutating func number(_ count: Int) throws(DamagedPlaceTable) -> Int {
        try take(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func text(length: Int) throws(DamagedPlaceTable) -> String {
        String(decoding: try take(length), as: UTF8.self)
    }

    mutating func name() throws(DamagedPlaceTable) -> PlaceEntry.Name {
        let english = try text(length: try number(1))
        let korean = try text(length: try number(1))
        return PlaceEntry.Name(english: english, korean: korean.isEmpty ? nil : korean)
    }

    private mutating func take(_ count: Int) throws(DamagedPlaceTable) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw DamagedPlaceTable() }
        defer { place += count }
        return bytes[place..<place + count]
    }
}
