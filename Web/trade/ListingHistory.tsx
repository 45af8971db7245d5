import type { Listing } from "../shared/api";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ItemHistory, Origin } from "./ItemHistory";

/** The history of what a listing sells; its earlier sales are told to accounts alone. */
export function ListingHistory({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const isSignedIn = useStore(session) !== null;
  const { anchor, content, maker } = listing;
  const isAsked = isSignedIn && anchor != null && content.type !== "course";
  const sale = useCall("GET /v1/sales/{id}", isAsked ? { path: { id: anchor.sale } } : null, ["sale"]);
  const token = sale.answer?.item ?? content.item;
  if (isAsked && token != null) return <ItemHistory token={token} chain={anchor.chain} current={anchor.sale} />;
  if (isSignedIn || maker == null || content.type === "course") return null;
  return (
    <section className="stack">
      <h2>{words.say("page.itemHistory")}</h2>
      <Origin maker={maker} since={listing.tokenSince} isFirst={listing.isResale !== true} />
    </section>
  );
}
