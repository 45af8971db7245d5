import type { Listing, ListingContentInput } from "../shared/api";

/** A listing with other words or another price; its terms are left out, so that they stay or follow the price. */
export function changedContent({ content }: Listing, changes: Partial<ListingContentInput>): ListingContentInput {
  const { type, title, description, category, identifier, tags, media, curriculum, delivery, shipsTo, shipsWithin, pickupPlace, payment, price, chain } = content;
  const same: ListingContentInput = {
    type, title, description, category, identifier, tags, payment, delivery, shipsTo,
    price: { amount: price.amount, currency: price.currency }, media: (media ?? []).map(({ id }) => ({ id })),
    ...(chain != null && { chain }), ...(curriculum != null && { curriculum }), ...(pickupPlace != null && { pickupPlace }),
    ...(shipsWithin != null && { shipsWithin }),
  };
  const isElsewhere = changes.delivery !== undefined;
  const { shipsWithin: within, pickupPlace: place, ...others } = same;
  // The old place and distance do not belong to another way of delivery.
  const kept = isElsewhere ? others : { ...others, ...(within != null && { shipsWithin: within }), ...(place != null && { pickupPlace: place }) };
  return { ...kept, ...changes, identifier };
}

/** Whether nobody has bought any of it yet, so that its price can change. */
export function hasNoBuyer({ salePhase }: Listing): boolean {
  return salePhase === "listed" || salePhase === "ready" || salePhase === "aborted" || salePhase === "declined";
}

/** Whether its price can be changed: what people bid for, and seats, are fixed. */
export function canReprice({ content, pieces, ...listing }: Listing): boolean {
  const isAtOnce = content.payment === "escrow" || content.payment === "direct";
  return isAtOnce && (pieces == null ? hasNoBuyer({ content, ...listing }) : true);
}
