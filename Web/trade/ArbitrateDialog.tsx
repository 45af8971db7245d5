import type { ArbitrationInput } from "../shared/api";
import { launch } from "../shared/intents";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { useCall } from "../shared/useCall";

interface Props {
  readonly body: ArbitrationInput;
  /** The words of the question and its button. */
  readonly action: string;
  readonly look?: "main" | "danger";
  readonly onClose: () => void;
  /** Called when it was agreed to. */
  readonly onBegun?: () => void;
}

/** Registering as an arbiter, or ending that: what it means and costs. */
export function ArbitrateDialog({ body, action, look = "main", onClose, onBegun }: Props) {
  const preview = useCall("POST /v1/arbitration/preview", { body, query: {} });
  return (
    <ConsentDialog title={action} action={action} of={preview} look={look} onClose={onClose} onAgree={({ feeMax }, key) => {
      onBegun?.();
      launch("POST /v1/arbitration", { body, query: { feeMax } }, "/arbiter", key);
    }} />
  );
}
