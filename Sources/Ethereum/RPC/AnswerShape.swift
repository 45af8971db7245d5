/// Finds answers that would take a decoder much memory or time, without decoding them.
///
/// A decoder keeps 24 bytes for each value, and makes a table of all names of each object that it
/// reads.
enum AnswerShape {
    /// Returns why an answer is not decoded; `nil` if it may be.
    ///
    /// Anything that is not JSON is left to the decoder.
    static func fault(of bytes: [UInt8]) -> String? {
        guard bytes.count > ChainLimits.objectNamesMax else { return nil }
        var values = 0
        /// The numbers of names of the objects and lists that are open.
        var names = [0]
        var (isText, isEscaped) = (false, false)
        for byte in bytes {
            if isText {
                isText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: ","): values += 1
            case UInt8(ascii: ":"):
                values += 1
                names[names.count - 1] += 1
                guard names[names.count - 1] <= ChainLimits.objectNamesMax else {
                    return "an object with more than \(ChainLimits.objectNamesMax) names"
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                values += 1
                names.append(0)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): if names.count > 1 { names.removeLast() }
            default: continue
            }
            guard values <= ChainLimits.answerValuesMax else {
                return "more than \(ChainLimits.answerValuesMax) values"
            }
        }
        return nil
    }
}
