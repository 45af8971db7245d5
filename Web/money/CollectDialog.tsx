import { useState } from "react";
import { newKey } from "../shared/call";
import { launch } from "../shared/intents";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { agreedFee, ConsentDialog } from "./ConsentDialog";

/** Shows what collecting everything brings and costs, and does it after one consent. */
export function CollectDialog({ chain, onClose }: { readonly chain: number; readonly onClose: () => void }) {
  const words = useWords();
  const [key] = useState(newKey);
  const preview = useCall("POST /v1/wallet/collect/preview", { body: { chain } });
  return (
    <ConsentDialog title={words.say("page.collect")} action={words.say("page.collect")} of={preview} onClose={onClose}
      onAgree={(shown) => launch("POST /v1/wallet/collect", { body: { chain }, query: { feeMax: agreedFee(shown) } }, "/wallet", key)} />
  );
}
