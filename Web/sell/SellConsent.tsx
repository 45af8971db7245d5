import { useEffect, useRef, useState } from "react";
import type { ActionPreview } from "../shared/api";
import { newKey } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Notice } from "../shared/parts/Notice";
import { Shown } from "../shared/parts/Shown";
import type { Reading } from "../shared/readings";
import { useWords } from "../shared/words";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { forPeople, problemsForPeople } from "../shared/sentences";
import { CheckField } from "../shared/parts/CheckField";
import { useForm } from "../shared/useForm";

/** The terms of a consent to a preview: its highest fee, and whether one source for the chain is enough. */
export interface Agreed {
  readonly feeMax: string;
  readonly acceptsOneSource?: boolean;
}

interface Props {
  readonly title: string;
  /** The words of the button that agrees. */
  readonly action: string;
  readonly of: Reading<ActionPreview> & { again(): void };
  /** Begins it, with the key of this one intent. */
  readonly onAgree: (agreed: Agreed, key: string) => void;
  readonly onClose: () => void;
}

/** Sentences of an explanation that are seen at once: which deposit comes back, and which is paid anew. */
const seen: readonly string[] = ["preview.repriceDeposit"];

/** Shows what a change of a listing costs and brings back, the amounts first, and asks once. */
export function SellConsent({ title, action, of, onAgree, onClose }: Props) {
  const words = useWords();
  const [key] = useState(newKey);
  const isAgreed = useRef(false);
  const form = useForm({ acceptsOneSource: false });
  // The screen of what follows is here before somebody agrees, so that its steps show at once.
  useEffect(() => void import("../money/OperationScreen").catch(() => undefined), []);

  function agree({ feeMax, restsOnOneSource }: ActionPreview): void {
    // A second click before the first is drawn.
    if (isAgreed.current) return;
    if (restsOnOneSource && !form.values.acceptsOneSource && form.refuse({ acceptsOneSource: words.say("page.agreeFirst") })) return;
    isAgreed.current = true;
    onAgree({ feeMax: feeMax ?? "0", ...(restsOnOneSource && { acceptsOneSource: true }) }, key);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Shown of={of}>
        {(preview) => {
          const others = problemsForPeople(preview.problems.filter((one) => one.code !== "insufficient_balance"));
          const explanation = preview.explanation.filter((one) => !seen.includes(one.code));
          return (
            <div className="stack">
              {[...forPeople(preview.summary), ...preview.explanation.filter((one) => seen.includes(one.code))]
                .map((one) => <p key={one.detail}>{words.said(one)}</p>)}
              <PreviewShown preview={{ ...preview, explanation }} />
              {others.length > 0 && <Notice kind="fault" isNews>{others.map((one) => <p key={one.detail}>{words.problem(one)}</p>)}</Notice>}
              {preview.restsOnOneSource && <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>}
              <div className="dialog-actions">
                <Button onClick={onClose}>{words.say("page.notNow")}</Button>
                {preview.problems.length === 0 && of.error === null && (
                  <Button look="main" isBusy={of.isReading} onClick={() => agree(preview)}>{action}</Button>
                )}
              </div>
            </div>
          );
        }}
      </Shown>
    </Dialog>
  );
}
