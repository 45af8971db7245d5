import type { Listing } from "../shared/api";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { AuctionPanel, standOf, type AuctionStand } from "./AuctionPanel";
import { useChainTime } from "./chainTime";
import { OwnBid } from "./OwnBid";
import { useRepeated } from "../shared/useRepeated";

/** How often an open auction is read again, in seconds: the node tells of bids only those who have bid. */
export const bidsEvery = 10;

interface Props {
  readonly listing: Listing;
  readonly again: () => void;
}

/** The auction of a listing, for everybody who looks at it. */
export function ListingAuction({ listing, again }: Props) {
  const isSignedIn = useStore(session) !== null;
  const sale = listing.anchor?.sale;
  const found = useCall("GET /v1/sales/{id}", isSignedIn && sale !== undefined ? { path: { id: sale } } : null, ["sale", "operation"]);
  const chains = useCall("GET /v1/chains", isSignedIn ? null : {});
  const isOpen = listing.state === "open";
  useRepeated(isOpen ? bidsEvery : 0, () => {
    again();
    found.again();
  });
  const chain = listing.anchor?.chain ?? listing.content.chain ?? undefined;
  const head = chains.answer?.find((one) => chain === undefined || one.chain === chain) ?? null;
  const now = useChainTime(found.answer ?? head, found.answer?.asOf ?? head?.headTime, isOpen);
  const stand = (found.answer === null ? null : standOf(found.answer)) ?? standOfListing(listing, chain);
  return (
    <>
      <AuctionPanel of={{ ...stand, bids: Math.max(stand.bids, listing.bids ?? 0) }} now={now} />
      {found.answer !== null && <OwnBid sale={found.answer} />}
    </>
  );
}

/** How an auction stands by what its listing says. */
function standOfListing(listing: Listing, chain: number | undefined): AuctionStand {
  return {
    chain, endsAt: listing.endsAt ?? null, isOver: listing.state === "over", first: listing.content.price,
    highest: listing.highestBid ?? null, bidder: null, bids: listing.bids ?? 0, next: listing.minimalBid ?? null,
  };
}
