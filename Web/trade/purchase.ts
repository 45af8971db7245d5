import type { Listing, Purchase } from "../shared/api";
import { withCountry } from "../shared/countries";
import type { DealValues } from "./DealForm";

/** The values of the form with which something is bought; named as the fields of the call. */
export type PurchaseValues = DealValues & {
  readonly address: string;
  /** Whether the address becomes the account's own. */
  readonly keepsAddress: boolean;
};

/** What the call takes of the values. */
export function purchaseOf(listing: Listing, values: PurchaseValues): Purchase {
  const { content } = listing;
  const isSent = content.delivery === "shipping";
  const text = values.address.trim();
  return {
    listing: listing.id,
    ...(isSent && values.shipTo.trim() !== "" && { shipTo: values.shipTo.trim() }),
    ...(isSent && text !== "" && { address: { text: withCountry(text, values.shipTo.trim()) } }),
    ...(values.acceptsChanges && { acceptsChanges: true }),
    ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
}
