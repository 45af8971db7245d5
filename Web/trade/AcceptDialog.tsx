import type { PriceOffer } from "../shared/api";
import { agreedFee } from "../shared/parts/ConsentDialog";
import { launch } from "../shared/intents";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { AgreeDialog } from "./AgreeDialog";

/** What is reserved, until when, and what happens if it is not paid. */
const first = ["preview.reserved", "preview.offerReopens", "preview.offerUnpaid", "preview.reopeningNeeds"];

/** Accepting an offer: what is reserved, until when, and what happens if it is not paid. */
export function AcceptDialog({ offer, onClose }: { readonly offer: PriceOffer; readonly onClose: () => void }) {
  const words = useWords();
  const preview = useCall("POST /v1/offers/{id}/acceptance/preview", { path: { id: offer.id }, body: {}, query: {} });
  return (
    <AgreeDialog title={words.say("page.acceptOffer")} action={words.say("page.acceptOffer")} of={preview} onClose={onClose} first={first}
      onAgree={(shown, key) => launch("POST /v1/offers/{id}/acceptance", {
        path: { id: offer.id },
        // The buyer's time ends when the preview says, not later.
        body: shown.deadline == null ? {} : { payUntil: Math.floor(Date.parse(shown.deadline.at) / 1_000) },
        query: { feeMax: agreedFee(shown), ...(shown.restsOnOneSource && { acceptsOneSource: true }) },
      }, "/offers", key)} />
  );
}
