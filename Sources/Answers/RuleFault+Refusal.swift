package import Client
package import Market

extension RuleFault {
    /// Returns the rule in words, with the field at fault by its API name.
    package func refusal(_ code: ProblemCode) -> Refusal {
        switch self {
        case .missing(let field):
            Refusal(
                code,
                Sentence("refusal.fieldMissing", ["field": field.apiName]),
                field: field.apiName
            )
        case .tooLong(let field, let byteCountMax):
            Refusal(
                code,
                Sentence(
                    "refusal.tooManyBytes",
                    ["field": field.apiName, "most": "\(byteCountMax)"]
                ),
                field: field.apiName
            )
        case .tooMany(let field, let countMax):
            Refusal(
                code,
                Sentence(
                    "refusal.tooManyEntries",
                    ["field": field.apiName, "most": "\(countMax)"]
                ),
                field: field.apiName
            )
        case .repeated(let field):
            Refusal(
                code,
                Sentence("refusal.repeatedEntry", ["field": field.apiName]),
                field: field.apiName
            )
        case .malformed(let field):
            Refusal(code, field.advice, field: field.apiName)
        case .combination(let form, let method, let payment):
            Refusal(code, form.advice(method, payment), field: "delivery")
        case .terms(let fault):
            // The service of the kind has checked its terms before, and named the API's field.
            Refusal(
                .badTerms,
                Sentence("refusal.termsOutside", ["term": fault.term]),
                field: "terms"
            )
        }
    }
}

extension Market.Listing.Form {
    /// Returns what can be combined with the form, if the given delivery and payment cannot.
    fileprivate func advice(_ method: Delivery.Method, _ payment: SaleKind) -> Sentence {
        switch self {
        case .goods where method == .online: Sentence("refusal.goodsOnline")
        case .course where payment != .enrolment: Sentence("refusal.coursePayment")
        default:
            Sentence(
                "refusal.wrongCombination",
                ["type": rawValue, "delivery": method.rawValue, "payment": payment.rawValue]
            )
        }
    }
}

extension PayloadField {
    fileprivate var apiName: String {
        switch self {
        case .form: "type"
        default: rawValue
        }
    }

    fileprivate var advice: Sentence {
        switch self {
        case .category: Sentence("refusal.categoryForm")
        case .media: Sentence("refusal.mediaForm")
        case .tags: Sentence("refusal.tagForm")
        case .identifier: Sentence("refusal.identifierLetters")
        case .curriculum: Sentence("refusal.curriculumForm")
        case .stars: Sentence("refusal.starsRange")
        // These words fit a text; a field of another kind has its own.
        default: Sentence("refusal.fieldForm", ["field": apiName])
        }
    }
}
