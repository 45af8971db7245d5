import type { Calls } from "../shared/api";
import { pointIn } from "../shared/places";

export type SearchQuery = NonNullable<Calls["GET /v1/rows"]["query"]>;

/** The terms that the address of a search can have; the names are the API's. */
const texts = [
  "search", "category", "tag", "author", "currency", "priceMin", "priceMax", "payment", "delivery", "shipsTo", "near", "sort", "after",
] as const;
const flags = ["toMe", "over", "hidden"] as const;

export type TermName = (typeof texts)[number] | (typeof flags)[number] | "stars" | "within";

/** Those that narrow the search, in the order in which they are shown. */
export const filterNames: readonly TermName[] = [
  "category", "tag", "author", "payment", "delivery", "shipsTo", "priceMin", "priceMax", "near", "within", "stars", "toMe", "over", "hidden",
];

/** Reads a search from an address; what is unknown there is left out. */
export function termsOf(query: URLSearchParams): SearchQuery {
  const found: Record<string, string | number | boolean> = {};
  for (const name of texts) {
    const text = query.get(name);
    if (text !== null && text !== "") found[name] = text;
  }
  for (const name of flags) if (query.get(name) === "true") found[name] = true;
  const stars = Number(query.get("stars"));
  if (Number.isInteger(stars) && stars >= 1 && stars <= 5) found["stars"] = stars;
  const within = Number(query.get("within"));
  if (Number.isInteger(within) && within >= 1 && within <= 20_000) found["within"] = within;
  // Distances need a point, and a text that is none would be refused.
  if (pointIn(query.get("near") ?? "") === null) {
    delete found["near"];
    delete found["within"];
    if (found["sort"] === "nearest") delete found["sort"];
  }
  return found as SearchQuery;
}

/** The address of a search with some terms changed; null removes one. It begins with the first page again. */
export function changed(base: string, query: URLSearchParams, changes: Partial<Record<TermName, string | null>>): string {
  const next = new URLSearchParams(query);
  next.delete("after");
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") next.delete(name);
    else next.set(name, value);
  }
  // Prices need a currency, and a currency without a price would only narrow.
  const isByPrice = ["cheapest", "costliest"].includes(next.get("sort") ?? "");
  if (!isByPrice && !next.has("priceMin") && !next.has("priceMax")) next.delete("currency");
  if (!next.has("near")) {
    next.delete("within");
    if (next.get("sort") === "nearest") next.delete("sort");
  }
  const text = next.toString();
  return text === "" ? base : `${base}?${text}`;
}
