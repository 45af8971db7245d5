extension APIOperation {
    /// Favourites, the cart and the delivery address.
    static let saved = [
        APIOperation(
            "get",
            "favourites",
            "List the account's favourites, the last saved first.",
            gives: "Page[SavedListing]",
            query: ["limit", "after"]
        ),
        APIOperation(
            "put",
            "favourites/{id}",
            "Save a listing among the account's favourites; a second time changes nothing.",
            gives: "SavedListing"
        ),
        APIOperation("delete", "favourites/{id}", "Remove a favourite.", status: 204),
        APIOperation("get", "cart", "Get the account's cart with its totals.", gives: "Cart"),
        APIOperation(
            "put",
            "cart/{id}",
            "Put a listing into the cart, or take it out with a quantity of 0.",
            takes: "CartQuantity",
            gives: "Cart"
        ),
        APIOperation("delete", "cart/{id}", "Take a listing out of the cart.", status: 204),
        APIOperation(
            "get",
            "recovery",
            "Get what this node has found of the account, and what it has not, and why.",
            gives: "RecoveryReport"
        ),
        APIOperation(
            "get",
            "searches",
            "List the account's saved searches, the last saved first.",
            gives: "[SavedSearch]"
        ),
        APIOperation(
            "put",
            "searches/{id}",
            "Save a search under a name; each listing that matches from then on is an event "
                + "'listing_found'.",
            takes: "SearchTerms",
            gives: "SavedSearch"
        ),
        APIOperation("delete", "searches/{id}", "Remove a saved search.", status: 204),
        APIOperation(
            "get",
            "contacts",
            "List the accounts that the account has given a name, by name.",
            gives: "[Contact]"
        ),
        APIOperation(
            "put",
            "contacts/{id}",
            "Give an account a name that is shown to the signed-in account alone.",
            takes: "ContactName",
            gives: "Contact"
        ),
        APIOperation("delete", "contacts/{id}", "Remove the name of an account.", status: 204),
        APIOperation(
            "get",
            "profiles/{id}",
            "Get what an account says of itself in public, by its address or name.",
            .reader,
            gives: "AccountProfile"
        ),
        APIOperation(
            "put",
            "profile",
            "Change the account's public profile; fields that are left out stay as they are.",
            takes: "ProfileChange",
            gives: "AccountProfile"
        ),
        APIOperation(
            "get",
            "drafts",
            "List the account's drafts of listings, the last changed first.",
            gives: "[Draft]"
        ),
        APIOperation("get", "drafts/{id}", "Get a draft.", gives: "Draft"),
        APIOperation(
            "put",
            "drafts/{id}",
            "Keep the content of a listing under a name; it is checked when it is published.",
            takes: "DraftContent",
            gives: "Draft"
        ),
        APIOperation("delete", "drafts/{id}", "Remove a draft.", status: 204),
        APIOperation(
            "get",
            "address",
            "Get the account's delivery address, which only its own nodes know.",
            gives: "DeliveryAddress"
        ),
        APIOperation(
            "put",
            "address",
            "Replace the account's delivery address; an empty one removes it.",
            takes: "DeliveryAddress",
            gives: "DeliveryAddress"
        ),
        APIOperation(
            "post",
            "sales/{id}/address",
            "Tell the seller of a sale, sealed, where to send the item.",
            takes: "AddressDisclosure",
            gives: "Message",
            status: 201,
            isOnce: true
        ),
        APIOperation(
            "post",
            "listings/{id}/exceptions",
            "Ship to one buyer whatever the listing's limits say; told to the buyer, sealed.",
            takes: "ShippingException",
            gives: "Message",
            status: 201,
            isOnce: true
        ),
    ]
}
