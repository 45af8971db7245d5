import Answers
import Client
import Foundation
import Setup

/// The countries that a seller can name.
///
/// Source: ISO 3166-1, two-letter codes as of 2024; XK for Kosovo is one of the user-assigned
/// codes, which the European Union uses.
enum Countries {
    private static let codes = Set(
        """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ \
        BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM \
        DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS \
        GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN \
        KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ \
        MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM \
        PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV \
        SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI \
        VN VU WF WS XK YE YT ZA ZM ZW
        """.split(separator: " ").map(String.init)
    )

    /// The codes by the countries' names in English and Korean, in small letters.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for locale in ["en", "ko"].map(Locale.init(identifier:)) {
            for code in codes.sorted() {
                guard let name = locale.localizedString(forRegionCode: code) else { continue }
                names[name.lowercased()] = names[name.lowercased()] ?? code
            }
        }
        return names
    }()

    /// Returns the code of a country that a person names by its code or its name; `nil` if the text
    /// is not a country.
    static func named(_ text: String) -> String? { code(text) ?? names[text.lowercased()] }

    /// Returns the code in capitals; `nil` if the text is not a country.
    static func code(_ text: String) -> String? {
        let code = text.uppercased()
        return codes.contains(code) ? code : nil
    }

    /// Reads a country that a person entered.
    ///
    /// - Throws: ``Refusal`` with the code and field given.
    static func entered(
        _ text: String,
        _ problem: ProblemCode,
        field: String
    ) throws(Refusal) -> String {
        if let code = named(text) { return code }
        var reason = [Sentence("refusal.notACountry", ["text": text.quoted])]
        if text.uppercased() == "UK" {
            reason.append(Sentence("refusal.britain"))
        } else if let near = nearestName(to: text, among: Array(names.keys)),
            editDistance(text, near) * 4 <= text.count
        {
            reason.append(Sentence("refusal.nearCountry", ["name": near.capitalized]))
        }
        throw Refusal(problem, reason, field: field)
    }
}
