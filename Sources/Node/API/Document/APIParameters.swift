import Client
import Market

/// What a call takes beside its body, as OpenAPI describes it.
enum APIParameters {
    static func all(of operation: APIOperation) -> [[String: Any]] {
        var parameters = operation.query.map { name in
            [
                "name": name, "in": "query", "description": about(name),
                "schema": schema(ofQuery: name),
            ]
        }
        for part in operation.path.split(separator: "/") where part.hasPrefix("{") {
            parameters.append(
                [
                    "name": String(part.dropFirst().dropLast()), "in": "path", "required": true,
                    "description": "As a list or an answer names it, or enough of it.",
                    "schema": ["type": "string", "minLength": 1],
                ]
            )
        }
        if operation.isOnce {
            parameters.append(
                [
                    "name": "Idempotency-Key", "in": "header", "required": true,
                    "description":
                        "The caller's name for this very act, by which a repeat is known.",
                    "schema": ["type": "string", "minLength": 1, "maxLength": 64],
                    "example": "8b1a9953-c461-4296-a827-abf8c47804d7",
                ]
            )
        }
        return parameters
    }

    private static func schema(ofQuery name: String) -> [String: Any] {
        switch name {
        case "limit": ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]
        case "requests", "over", "acceptsOneSource": ["type": "boolean", "default": false]
        case "phase": ["type": "string", "enum": EscrowStatus.allCases.map(\.name)]
        case "priceMin", "priceMax", "feeMax": ["type": "string", "pattern": "^[0-9]{1,78}$"]
        case "after", "before": ["type": "string", "minLength": 1]
        default: ["type": "string"]
        }
    }

    private static func about(_ name: String) -> String {
        switch name {
        case "limit": "How many at most."
        case "after": "Goes on behind a page: its 'next'; for events the 'id' of the last one seen."
        case "before": "Goes on before a page: its 'next'."
        case "search": "Words, each perhaps only begun, or an identifier."
        case "author": "The seller's address or name."
        case "account": "An address or a name."
        case "over": "Also those that are sold or over."
        case "priceMin", "priceMax": "In the currency's smallest unit."
        case "feeMax": "What all fees of it may be at most, in wei, as its preview showed it."
        case "acceptsOneSource": "One endpoint's word is enough while no second one answers."
        case "phase": "Only sales that stand so."
        case "requests": "Those that strangers began and that are not answered."
        default: "Only of this \(name)."
        }
    }
}
