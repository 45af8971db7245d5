extension APIOperation {
    /// Favourites and the cart.
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
    ]
}
