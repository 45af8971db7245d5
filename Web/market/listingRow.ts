import type { Listing, Sentence } from "../shared/api";

/** The part of a listing that a card or a row shows. */
export interface ListingRow {
  readonly id: string;
  readonly title: string;
  readonly picture: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly chain: number | undefined;
  readonly isAuction: boolean;
  readonly state: string;
  readonly status: Sentence;
  readonly endsAt: string | null;
  readonly author: string;
  readonly seller: Listing["seller"];
}

/** The first file of a listing that is a picture; null if it has none. */
export function firstPicture(media: Listing["content"]["media"]): string | null {
  return media?.find((file) => file.type == null || file.type.startsWith("image/"))?.id ?? null;
}

/** Takes from a listing what its row shows. */
export function rowOf(listing: Listing): ListingRow {
  const { content } = listing;
  const price = listing.price ?? content.price;
  return {
    id: listing.id, title: content.title, picture: firstPicture(content.media), amount: price.amount, currency: price.currency,
    chain: listing.anchor?.chain ?? content.chain ?? undefined, isAuction: content.payment === "auction",
    state: listing.state, status: listing.status, endsAt: listing.endsAt ?? null, author: listing.author, seller: listing.seller,
  };
}
