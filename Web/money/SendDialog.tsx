import type { Transfer } from "../shared/api";
import { launch } from "../shared/intents";
import { useWords } from "../shared/words";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { FeeChoice } from "./FeeChoice";
import { useFees } from "./useFees";

interface Props {
  readonly transfer: Transfer;
  readonly onSent: () => void;
  readonly onClose: () => void;
}

/** Shows who gets what, its fee and what is left, and sends it after one consent. */
export function SendDialog({ transfer, onSent, onClose }: Props) {
  const words = useWords();
  const fees = useFees("POST /v1/wallet/send/preview", { body: transfer });
  return (
    <ConsentDialog title={words.say("page.sendMoney")} action={words.say("page.send")} of={fees.of} onClose={onClose}
      onAgree={({ feeMax }, key, shown) => {
        // For everything, the amount that was shown: a fee that falls meanwhile sends no more.
        const amount = shown.leaves.find((one) => one.purpose === "amount")?.amount ?? transfer.amount;
        onSent();
        // And the account that was shown: a name can mean another one by then.
        const to = shown.receiver?.account ?? transfer.to;
        launch("POST /v1/wallet/send", { body: { ...transfer, to, amount }, query: { feeMax, feeSpeed: fees.speed } },
          `/wallet/send?${new URLSearchParams({ chain: String(transfer.chain ?? "") })}`, key);
      }}>
      <FeeChoice fees={fees} />
    </ConsentDialog>
  );
}
