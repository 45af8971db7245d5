/// The bytes of a file, and the numbers in them; `nil` for positions beyond their end.
struct FileBytes: Sendable {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    subscript(place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

    func has(_ text: StaticString, at place: Int) -> Bool {
        // Compares bytes: making a String of `text` for each position of a long file takes seconds.
        text.withUTF8Buffer { wanted in
            guard place >= 0, place + wanted.count <= bytes.count else { return false }
            for offset in wanted.indices
            where unsafe wanted[offset] != bytes[place + offset] {
                return false
            }
            return true
        }
    }

    func has(_ wanted: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place + wanted.count <= bytes.count else { return false }
        return bytes[place..<place + wanted.count].elementsEqual(wanted)
    }

    /// A number of `count` bytes, the highest first.
    func big(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of `count` bytes, the lowest first.
    func little(_ count: Int, at place: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
