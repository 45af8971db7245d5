import type { Listing, Purchase, Sale } from "../shared/api";
import { smallest } from "../shared/money";
import type { DealValues } from "./DealForm";

/** The values of the form with which somebody bids. */
export type BidValues = DealValues & {
  readonly bid: string;
  /** Whether money of earlier bids pays as much of it as it can. */
  readonly usesCredit: boolean;
};

/** What the call takes of the values; without a bid if what was typed is no amount. */
export function bidOf(listing: Listing, sale: Sale, values: BidValues, credit: bigint, decimals: number): Purchase {
  const bid = smallest(values.bid, decimals);
  const paid = values.usesCredit && bid !== null && credit > 0n ? (credit < BigInt(bid) ? credit : BigInt(bid)) : 0n;
  const place = values.shipTo.trim();
  return {
    listing: listing.id, sale: sale.id,
    ...(bid !== null && { bid }),
    ...(paid > 0n && { fromCredit: String(paid) }),
    ...(listing.content.delivery === "shipping" && place !== "" && { shipTo: place }),
    ...(values.acceptsChanges && { acceptsChanges: true }),
    ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
}
