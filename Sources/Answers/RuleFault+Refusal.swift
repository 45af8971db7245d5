package import Client
package import Market

extension RuleFault {
    /// Returns the rule in words, with the field at fault by its API name.
    package func refusal(_ code: ProblemCode) -> Refusal {
        switch self {
        case .missing(let field):
            Refusal(code, "'\(field.apiName)' is missing: give one.", field: field.apiName)
        case .tooLong(let field, let byteCountMax):
            Refusal(
                code,
                "'\(field.apiName)' has more than \(byteCountMax) bytes.",
                field: field.apiName
            )
        case .tooMany(let field, let countMax):
            Refusal(code, "'\(field.apiName)' has more than \(countMax).", field: field.apiName)
        case .repeated(let field):
            Refusal(code, "'\(field.apiName)' contains the same entry twice.", field: field.apiName)
        case .malformed(let field):
            Refusal(code, field.advice, field: field.apiName)
        case .combination(let form, let method, let payment):
            Refusal(code, form.advice(method, payment), field: "delivery")
        case .terms(let fault):
            // The service of the kind has checked its terms before, and named the API's field.
            Refusal(
                .badTerms,
                "The terms are outside the limits of the contract (\(fault.term)).",
                field: "terms"
            )
        }
    }
}

extension Market.Listing.Form {
    /// Returns what can be combined with the form, if the given delivery and payment cannot.
    fileprivate func advice(_ method: Delivery.Method, _ payment: SaleKind) -> String {
        switch self {
        case .goods where method == .online:
            "Goods are shipped or picked up: 'delivery' must be 'shipping' or 'pickup'."
        case .course where payment != .enrolment:
            "A course needs 'enrolment' as 'payment' and 'online' or 'pickup' as 'delivery'."
        default:
            "\(rawValue) cannot be delivered by \(method.rawValue) and paid by \(payment.rawValue)."
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

    fileprivate var advice: String {
        switch self {
        case .category:
            "A category has only lower-case letters, digits and hyphens; digital works must be in "
                + "'digital', and only courses can be in 'course'."
        case .media:
            "'media' is invalid: each file can be named only once, and the preview of a digital "
                + "work must be one picture, not a document."
        case .tags: "A tag must be lower case and on one line."
        case .identifier: "'identifier' must consist of Latin letters and digits."
        case .stars: "'stars' must be from 1 to 5."
        case .name, .about, .avatar, .region, .homes, .key, .form, .title, .description, .delivery,
            .chain, .terms, .endsAt, .anchor, .withdrawal, .entries, .reason, .sale, .text,
            .outcome, .currency, .price:
            "'\(apiName)' is invalid: it begins or ends with a space, has a control character or a "
                + "line break, or is not one of the values allowed."
        }
    }
}
