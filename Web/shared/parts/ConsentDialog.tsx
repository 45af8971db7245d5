import { useEffect, useRef, useState, type ReactNode } from "react";
import type { ActionPreview } from "../api";
import { CallError } from "../call";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Fault } from "./Fault";
import { Shown } from "./Shown";
import type { Reading } from "../readings";
import { useWords } from "../words";
import { PreviewFacts } from "../../money/PreviewFacts";

interface Props {
  readonly title: string;
  /** The words of the button that agrees. */
  readonly action: string;
  readonly of: Reading<ActionPreview> & { again(): void };
  /** Gets the preview that was shown, so that nothing else is signed. */
  readonly onAgree: (preview: ActionPreview) => void | Promise<void>;
  readonly onClose: () => void;
  /** Below what is shown, such as a choice of the fee. */
  readonly children?: ReactNode;
}

/** Shows what something would cost and bring, and asks once. */
export function ConsentDialog({ title, action, of, onAgree, onClose, children }: Props) {
  const words = useWords();
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isAgreed = useRef(false);
  // The screen of what follows is here before somebody agrees, so that its steps show at once.
  useEffect(() => void import("../../money/OperationScreen").catch(() => undefined), []);

  async function agree(preview: ActionPreview): Promise<void> {
    // A second click before the first is drawn.
    if (isAgreed.current) return;
    isAgreed.current = true;
    setBusy(true);
    setError(null);
    try {
      await onAgree(preview);
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
      isAgreed.current = false;
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Shown of={of}>
        {(preview) => (
          <div className="stack">
            <PreviewFacts preview={preview} />
            {preview.problems.length === 0 && children}
            {error !== null && <Fault error={error} />}
            <div className="dialog-actions">
              <Button onClick={onClose}>{words.say("page.notNow")}</Button>
              {preview.problems.length === 0 && of.error === null && (
                <Button look="main" isBusy={isBusy || of.isReading} onClick={() => void agree(preview)}>{action}</Button>
              )}
            </div>
          </div>
        )}
      </Shown>
    </Dialog>
  );
}

/** The highest fee that somebody agreed to: the one shown, or 0 if none was shown. */
export function agreedFee({ feeMax }: ActionPreview): string {
  return feeMax ?? "0";
}
