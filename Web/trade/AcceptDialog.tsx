import type { PriceOffer } from "../shared/api";
import { launch } from "../shared/intents";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** Accepting an offer: what is reserved, until when, and what happens if it is not paid. */
export function AcceptDialog({ offer, onClose }: { readonly offer: PriceOffer; readonly onClose: () => void }) {
  const words = useWords();
  const preview = useCall("POST /v1/offers/{id}/acceptance/preview", { path: { id: offer.id }, body: {}, query: {} });
  return (
    <ConsentDialog title={words.say("page.acceptOffer")} action={words.say("page.acceptOffer")} of={preview} onClose={onClose}
      onAgree={(query, key, shown) => launch("POST /v1/offers/{id}/acceptance", {
        path: { id: offer.id },
        // The buyer's time ends when the preview says, not later.
        body: shown.deadline == null ? {} : { payUntil: Math.floor(Date.parse(shown.deadline.at) / 1_000) },
        query,
      }, "/offers", key)} />
  );
}
