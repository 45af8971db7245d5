import Client
import Market
import Trade

/// The parameters of calls, as OpenAPI describes them.
extension CallFacts {
    var parameters: [[String: Any]] {
        var parameters = query.map { parameter in
            [
                "name": parameter.name, "in": "query", "description": parameter.about,
                "schema": parameter.form.schema,
            ]
        }
        for part in path.split(separator: "/") where part.hasPrefix("{") {
            parameters.append(
                [
                    "name": String(part.dropFirst().dropLast()), "in": "path", "required": true,
                    "description": "The id as an answer shows it, or a short form of it.",
                    "schema": ["type": "string", "minLength": 1],
                ]
            )
        }
        if isOnce {
            parameters.append(
                [
                    "name": "Idempotency-Key", "in": "header", "required": true,
                    "description":
                        "A key that the caller chooses for the request and sends again when repeating it.",
                    "schema": ["type": "string", "minLength": 1, "maxLength": 64],
                    "example": "8b1a9953-c461-4296-a827-abf8c47804d7",
                ]
            )
        }
        return parameters
    }
}

extension ValueForm {
    var schema: [String: Any] {
        switch self {
        case .text: ["type": "string"]
        case .cursor: ["type": "string", "minLength": 1]
        case .flag: ["type": "boolean", "default": false]
        case .numbers(let range, let standard):
            ["type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound]
                .merging(standard.map { ["default": $0] } ?? [:]) { $1 }
        case .chain: ["type": "integer", "minimum": 1]
        case .lengths(let range):
            ["type": "string", "minLength": range.lowerBound, "maxLength": range.upperBound]
        case .pattern(let pattern): ["type": "string", "pattern": pattern]
        case .oneOf(let texts, let standard):
            ["type": "string", "enum": texts]
                .merging(standard.map { ["default": $0] } ?? [:]) { $1 }
        case .oneOfNumbers(let numbers): ["type": "integer", "enum": numbers]
        case .known(.orders):
            ["type": "string", "enum": KnownTexts.orders.all, "default": KnownTexts.orders.all[0]]
        case .known(let texts): ["type": "string", "enum": texts.all]
        }
    }
}

extension KnownTexts {
    /// The texts, as the node has them.
    var all: [String] {
        switch self {
        case .payments: SaleKinds.standard.names
        case .phases: SaleKinds.standard.folds.statusNames
        case .deliveries: Delivery.Method.allCases.map(\.rawValue)
        case .saleLists: SaleList.allCases.map(\.rawValue)
        case .orders: ListingSearcher.orders
        case .actions:
            [
                "list", "edit", "withdraw", "collect", "send", "arbitrate", "review",
                "publish_list", "speed_up", "cancel", "give", "offer_price",
            ] + SaleKinds.standard.moves
        // Those of the page are in no answer.
        case .sentences: SentencePatterns.english.codes.filter { !$0.hasPrefix("page.") }
        }
    }
}
