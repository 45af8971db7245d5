import { useState } from "react";
import type { Operation } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ConsentDialog, type Agreed } from "../shared/parts/ConsentDialog";
import { canReplace } from "./operationWords";

type Way = "speed-up" | "cancel";

/** Speeds up or cancels an operation while that is possible. */
export function ReplaceButtons({ operation, again }: { readonly operation: Operation; readonly again: () => void }) {
  const words = useWords();
  const [way, setWay] = useState<Way | null>(null);
  const close = (): void => {
    setWay(null);
    again();
  };
  return (
    <>
      <div className="beside">
        {canReplace(operation, "speed-up") && <Button isSmall onClick={() => setWay("speed-up")}>{words.say("page.speedUp")}</Button>}
        {canReplace(operation, "cancel") && <Button isSmall look="danger" onClick={() => setWay("cancel")}>{words.say("page.cancelOperation")}</Button>}
      </div>
      {way === "speed-up" && <SpeedUpDialog id={operation.id} onClose={close} />}
      {way === "cancel" && <CancelDialog id={operation.id} onClose={close} />}
    </>
  );
}

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

// Both use the fast price: what waits too long at a normal one needs more.

function SpeedUpDialog({ id, onClose }: Props) {
  const words = useWords();
  const preview = useCall("POST /v1/operations/{id}/speed-up/preview", { path: { id }, query: { feeSpeed: "fast" } });

  async function agree({ feeMax }: Agreed): Promise<void> {
    await call("POST /v1/operations/{id}/speed-up", { path: { id }, query: { feeSpeed: "fast", feeMax } });
    onClose();
  }

  return <ConsentDialog title={words.say("page.speedUp")} action={words.say("page.speedUp")} of={preview} onAgree={agree} onClose={onClose} />;
}

function CancelDialog({ id, onClose }: Props) {
  const words = useWords();
  const preview = useCall("POST /v1/operations/{id}/cancel/preview", { path: { id }, query: { feeSpeed: "fast" } });

  async function agree({ feeMax }: Agreed): Promise<void> {
    await call("POST /v1/operations/{id}/cancel", { path: { id }, query: { feeSpeed: "fast", feeMax } });
    onClose();
  }

  return <ConsentDialog title={words.say("page.cancelOperation")} action={words.say("page.cancelOperation")} of={preview} onAgree={agree} onClose={onClose} />;
}
