import { launch } from "../shared/intents";
import { useWords } from "../shared/words";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { FeeChoice } from "./FeeChoice";
import { useFees } from "./useFees";

/** Shows what collecting everything brings and costs, and collects it after one consent. */
export function CollectDialog({ chain, onClose }: { readonly chain: number; readonly onClose: () => void }) {
  const words = useWords();
  const fees = useFees("POST /v1/wallet/collect/preview", { body: { chain } });
  return (
    <ConsentDialog title={words.say("page.collect")} action={words.say("page.collect")} of={fees.of} onClose={onClose}
      onAgree={({ feeMax }, key) => launch("POST /v1/wallet/collect", { body: { chain }, query: { feeMax, feeSpeed: fees.speed } }, "/wallet", key)}>
      <FeeChoice fees={fees} />
    </ConsentDialog>
  );
}
