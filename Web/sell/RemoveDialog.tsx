import { useRef, useState } from "react";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Fault } from "../shared/parts/Fault";
import { useWords } from "../shared/words";

interface Props {
  readonly name: "DELETE /v1/drafts/{id}" | "DELETE /v1/works/{id}";
  readonly id: string;
  readonly title: string;
  /** The removed thing in words. */
  readonly what: string;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks before something is removed that cannot be brought back. */
export function RemoveDialog({ name, id, title, what, onClose, onRemoved }: Props) {
  const words = useWords();
  const isSending = useRef(false);
  const [error, setError] = useState<CallError | null>(null);

  async function remove(): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    try {
      await call(name, { path: { id } });
      onRemoved();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    } finally {
      isSending.current = false;
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <p><bdi className="strong">{what}</bdi></p>
      <p className="soft note">{words.say("page.removeWhy")}</p>
      {error !== null && <Fault error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{words.say("page.notNow")}</Button>
        <Button look="danger" onClick={() => void remove()}>{words.say("page.remove")}</Button>
      </div>
    </Dialog>
  );
}
