package import Answers
import Client
import Market
import Setup

/// The rules that the names of this node's accounts keep.
package enum AccountNameRules {
    private static let byteCountMax = 64

    /// Checks the form of the name of a new account.
    package static func check(_ name: String) throws(Refusal) {
        if let fault = fault(in: name) {
            throw Refusal(.malformedValue, fault, Sentence("refusal.nameForm"), field: "name")
        }
    }

    /// Returns the fault in the name of a new account, in a sentence.
    private static func fault(in name: String) -> Sentence? {
        guard !name.isEmpty else { return Sentence("refusal.nameEmpty") }
        guard name.utf8.count <= byteCountMax else {
            return Sentence("refusal.nameLength", ["bytes": "\(name.utf8.count)"])
        }
        // As an argument of a command it would be read as an address or an option.
        for start in ["0x", "-"] where name.lowercased().hasPrefix(start) {
            return Sentence("refusal.nameBegins", ["name": name.quoted, "start": start])
        }
        guard name.unicodeScalars.allSatisfy(isVisible), PlainText.isSeen(name),
            isChangedByItsSelectors(name)
        else {
            return Sentence("refusal.nameUnseen", ["name": name.quoted])
        }
        return nil
    }

    /// Returns whether each variation selector follows a character that it can change: an emoji or
    /// an ideograph.
    private static func isChangedByItsSelectors(_ name: String) -> Bool {
        let characters = (" " + name).unicodeScalars
        return zip(characters, characters.dropFirst()).allSatisfy { before, selector in
            guard selector.properties.isVariationSelector else { return true }
            let properties = before.properties
            return properties.isIdeographic || properties.isEmoji && !before.isASCII
        }
    }

    /// Returns whether a character shows as itself, or changes the one before it, wherever a name
    /// is printed.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
            .privateUse, .surrogate:
            false
        default:
            !PlainText.isNotSeen(scalar)
                && (!scalar.properties.isDefaultIgnorableCodePoint
                    || scalar.properties.isVariationSelector)
        }
    }

    /// Returns the refusal of a name that an account here has.
    package static func taken(_ name: String) -> Refusal {
        Refusal(
            .nameTaken,
            Sentence("refusal.accountNameTaken", ["name": name.quoted]),
            field: "name"
        )
    }
}
