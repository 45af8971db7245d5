package import Texts

/// Listings are written directly, because a page has up to a hundred of them.
///
/// The fields are in the order of their names, as ``WireCoding/encoder()`` writes them.
extension Listing: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("anchor", anchor)
            json.field("author", author)
            json.field("average", average)
            json.field("bids", bids)
            json.field("changes", changes)
            json.field("content", content)
            json.field("createdAt", createdAt)
            json.field("distance", distance)
            json.field("endsAt", endsAt)
            json.field("firstSeenAt", firstSeenAt)
            json.field("freeSeats", freeSeats)
            json.field("highestBid", highestBid)
            json.field("id", id)
            json.field("isAsPromised", isAsPromised)
            json.field("isCurrencyAccepted", isCurrencyAccepted)
            json.field("isResale", isResale)
            json.field("maker", maker)
            json.field("minimalBid", minimalBid)
            json.field("own", own)
            json.field("pieces", pieces)
            json.field("price", price)
            json.field("promised", promised)
            json.field("raters", raters)
            json.field("record", record)
            json.field("rivals", rivals)
            json.field("salePhase", salePhase)
            json.field("seller", seller)
            json.field("state", state)
            json.field("status", status)
            json.field("students", students)
            json.field("tokenSince", tokenSince)
        }
    }
}

extension Listing.Pieces: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("free", free)
            json.field("total", total)
        }
    }
}

extension Sale.Commitment: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("curriculum", curriculum)
            json.field("description", description)
            json.field("identifier", identifier)
            json.field("title", title)
        }
    }
}

extension Listing.Anchor: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("chain", chain)
            json.field("contract", contract)
            json.field("sale", sale)
        }
    }
}

extension Sentence: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("code", code)
            json.field("detail", detail)
            json.field("values", values)
        }
    }
}

extension ShippingDistance: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("metres", metres)
            json.field("place", place)
            json.field("point", point)
        }
    }
}

extension GeographicPoint: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("latitude", latitude)
            json.field("longitude", longitude)
        }
    }
}
