import type { Listing } from "../shared/api";
import { launch } from "../shared/intents";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { SellConsent } from "./SellConsent";

interface Props {
  readonly listing: Listing;
  readonly onClose: () => void;
}

/** Lists an item again as before it was reserved for a buyer who has not paid in time. */
export function ReopenDialog({ listing, onClose }: Props) {
  const words = useWords();
  const path = { id: listing.id };
  const preview = useCall("POST /v1/listings/{id}/reopening/preview", { path, query: {} }, ["sale"]);
  return (
    <SellConsent title={words.say("page.listAgain")} action={words.say("page.listAgain")} of={preview} onClose={onClose}
      onAgree={(query, key) => launch("POST /v1/listings/{id}/reopening", { path, query }, `/listings/${listing.id}`, key)} />
  );
}
