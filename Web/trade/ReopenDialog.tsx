import { launch } from "../shared/intents";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

interface Props {
  readonly listing: string;
  /** The screen to go back to if it is refused. */
  readonly back: string;
  readonly onClose: () => void;
}

/** Lists an item again as before it was reserved for a buyer who has not paid in time. */
export function ReopenDialog({ listing, back, onClose }: Props) {
  const words = useWords();
  const path = { id: listing };
  const preview = useCall("POST /v1/listings/{id}/reopening/preview", { path, query: {} }, ["sale"]);
  return (
    <ConsentDialog title={words.say("page.listAgain")} action={words.say("page.listAgain")} of={preview} onClose={onClose}
      onAgree={(query, key) => launch("POST /v1/listings/{id}/reopening", { path, query }, back, key)} />
  );
}
