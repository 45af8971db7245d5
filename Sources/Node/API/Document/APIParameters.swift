import Client
import Market

/// The parameters of a call, as OpenAPI describes them.
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
                    "description": "The id as an answer shows it, or a short form of it.",
                    "schema": ["type": "string", "minLength": 1],
                ]
            )
        }
        if operation.isOnce {
            parameters.append(
                [
                    "name": "Idempotency-Key", "in": "header", "required": true,
                    "description":
                        "A key that the caller chooses for the request and repeats with it.",
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
        case "round": ["type": "integer", "minimum": 0, "maximum": 255]
        case "chain": ["type": "integer", "minimum": 1]
        case "within": ["type": "integer", "minimum": 1, "maximum": 20_000]
        case "stars": ["type": "integer", "minimum": 1, "maximum": 5]
        case "size": ["type": "integer", "enum": ThumbnailSize.allCases.map(\.rawValue)]
        case "requests", "sent", "hidden", "over", "toMe", "count", "facets", "acceptsOneSource",
            "onSale":
            ["type": "boolean", "default": false]
        case "payment": ["type": "string", "enum": SaleKinds.standard.names]
        case "delivery": ["type": "string", "enum": Delivery.Method.allCases.map(\.rawValue)]
        case "shipsTo": ["type": "string", "pattern": "^[A-Za-z]{2}$"]
        case "sort": ["type": "string", "enum": Listings.orders, "default": Listings.orders[0]]
        case "list": ["type": "string", "enum": SaleList.allCases.map(\.rawValue)]
        case "phase": ["type": "string", "enum": SaleKinds.standard.folds.statusNames]
        case "of":
            [
                "type": "string", "enum": EventSource.allCases.map(\.rawValue),
                "default": EventSource.account.rawValue,
            ]
        case "priceMin", "priceMax", "feeMax": ["type": "string", "pattern": "^[0-9]{1,78}$"]
        case "feeSpeed":
            [
                "type": "string", "enum": FeeChoice.Speed.allCases.map(\.rawValue),
                "default": FeeChoice.Speed.normal.rawValue,
            ]
        case "after", "before": ["type": "string", "minLength": 1]
        default: ["type": "string"]
        }
    }

    private static func about(_ name: String) -> String {
        switch name {
        case "limit": "The maximum number of items."
        case "after": "The 'next' of the page before; for events the 'id' of the last one seen."
        case "before": "The 'next' of the page before."
        case "of":
            "Which events to send: the account's, or those of listings, reviews and profiles."
        case "search": "Words or beginnings of words, or an identifier."
        case "author": "The seller's address or name."
        case "account": "An address or a name."
        case "chain": "The id of a chain; needed for a wallet if the node follows several."
        case "over": "Include listings that are sold or over."
        case "count": "Answer how many listings match, exactly up to 10,000."
        case "facets": "Answer how many of the matches have each value of a property."
        case "payment": "Only this kind of sale."
        case "shipsTo": "Only what is shipped to the country with this ISO 3166 code."
        case "sort":
            "The order; by price it needs a currency, and is that of the listed prices; by distance "
                + "it needs 'near'."
        case "near":
            "Where the caller is: latitude and longitude in degrees, such as 48.137,11.575."
        case "within":
            "Only what is shipped around a point nearer to 'near' than so many kilometres."
        case "stars": "Only of sellers whose reviews average at least so many stars."
        case "priceMin", "priceMax": "In the currency's smallest unit."
        case "feeMax": "The maximum total of the call's fees, in wei, as its preview shows it."
        case "feeSpeed": "How soon the transactions are to be mined, which sets what they pay."
        case "acceptsOneSource":
            "Accept one endpoint's answers while no second endpoint answers."
        case "onSale":
            "Let words of a title find listings on sale only, if any has them."
        case "list":
            "Only sales of this list: running ones, those in which the account bids, what it "
                + "offers, what it has bought or sold, what it can still review, or what has credited it "
                + "something to collect."
        case "phase": "Only sales in this phase."
        case "round": "The number of the round, from 0; the last one if it is left out."
        case "size": "The longer side of the smaller version, in pixels."
        case "token": "The number of the token, in decimal."
        case "identifier": "The identifier, as listings state it."
        case "hidden": "Also listings that the account's blocks, and lists that it follows, hide."
        case "name": "What the file is called: one line without a slash."
        case "toMe":
            "Only what can reach the account's own delivery address."
        case "sent": "Only what the account sent, instead of what it got."
        case "requests": "Only conversations that strangers began and that are not answered."
        default: "Only of this \(name)."
        }
    }
}
