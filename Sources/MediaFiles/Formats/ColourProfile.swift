/// The profile of a picture's colours, of which a decoder gets only those that cost it little.
///
/// A profile can hold a program of any number of steps that all refer to the same few bytes, and a
/// decoder runs it for thousands of colours. Curves, matrices and tables cost at most their bytes.
///
/// Source: ICC.1:2022, sections 7.2, 7.3 and 10; ICC.1:2001-04, section 6.5.
enum ColourProfile {
    /// The maximum number of parts; usual ones have up to 30.
    private static let tagsMax = 100
    /// Scanners and cameras, displays, printers, and colour spaces.
    private static let classes = ["scnr", "mntr", "prtr", "spac"]
    private static let tables = ["mft1", "mft2", "mAB ", "mBA "]
    private static let curves = ["curv", "para"]

    /// Returns whether a profile has only curves, matrices and tables.
    static func isSimple(_ profile: FileBytes) -> Bool {
        guard profile.count <= MetadataLimits.profileBytesMax, profile.has("acsp", at: 36),
            name(at: 12, in: profile).map(classes.contains) == true,
            let count = profile.big(4, at: 128), count <= tagsMax
        else { return false }
        return (0..<count).allSatisfy { isSimple(tagAt: 132 + 12 * $0, in: profile) }
    }

    static func isOfGrey(_ profile: FileBytes) -> Bool { profile.has("GRAY", at: 16) }

    /// A tag has a name, a position and a length; at the position is the name of its type.
    private static func isSimple(tagAt place: Int, in profile: FileBytes) -> Bool {
        guard let tag = name(at: place, in: profile), let start = profile.big(4, at: place + 4),
            let length = profile.big(4, at: place + 8), start + length <= profile.count,
            let type = name(at: start, in: profile)
        else { return false }
        switch tag {
        case "rTRC", "gTRC", "bTRC", "kTRC": return curves.contains(type)
        case _ where tag.hasPrefix("A2B") || tag.hasPrefix("B2A"): return tables.contains(type)
        case _ where tag.hasPrefix("D2B") || tag.hasPrefix("B2D"): return false
        default: return type != "mpet"
        }
    }

    private static func name(at place: Int, in profile: FileBytes) -> String? {
        guard place >= 0, place + 4 <= profile.count else { return nil }
        return String(decoding: profile.bytes[place..<place + 4], as: UTF8.self)
    }
}
