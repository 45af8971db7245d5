import type { Listing } from "../shared/api";
import { launch } from "../shared/intents";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

interface Props {
  readonly listing: Listing;
  readonly onClose: () => void;
}

/** Takes a listing off the market, and shows what comes back. */
export function WithdrawDialog({ listing, onClose }: Props) {
  const words = useWords();
  const path = { id: listing.id };
  const preview = useCall("POST /v1/listings/{id}/withdraw/preview", { path, query: {} }, ["sale"]);
  return (
    <ConsentDialog title={words.say("page.withdraw")} action={words.say("page.withdraw")} of={preview} onClose={onClose}
      onAgree={(query, key) => launch("DELETE /v1/listings/{id}", { path, query }, `/listings/${listing.id}`, key)} />
  );
}
