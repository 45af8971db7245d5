import { agreedFee } from "../shared/parts/ConsentDialog";
import { launch } from "../shared/intents";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { AgreeDialog } from "./AgreeDialog";

/** Listing something again as before, after the buyer of an accepted offer has not paid. */
export function ReopenDialog({ listing, onClose }: { readonly listing: string; readonly onClose: () => void }) {
  const words = useWords();
  const preview = useCall("POST /v1/listings/{id}/reopening/preview", { path: { id: listing }, query: {} });
  return (
    <AgreeDialog title={words.say("page.listAgain")} action={words.say("page.listAgain")} of={preview} onClose={onClose}
      onAgree={(shown, key) => launch("POST /v1/listings/{id}/reopening", {
        path: { id: listing }, query: { feeMax: agreedFee(shown), ...(shown.restsOnOneSource && { acceptsOneSource: true }) },
      }, "/offers", key)} />
  );
}
