import type { ListingRow, Sentence } from "../shared/api";

/** The address of a row's seller, with which its id begins. */
export function sellerOf(row: ListingRow): string {
  return row.id.slice(0, row.id.indexOf("."));
}

/** The state of a row in a shop's words: a row has only the code, and the values are its own. */
export function statusOf(row: ListingRow): Sentence {
  const { pieces, freeSeats, price } = row;
  const amount = `${price.amount} ${price.currency} ${row.chain}`;
  const count = String(pieces?.total ?? freeSeats ?? row.bids ?? 0);
  return { code: row.status, values: { amount, price: amount, free: String(pieces?.free ?? 0), count }, detail: row.state };
}
