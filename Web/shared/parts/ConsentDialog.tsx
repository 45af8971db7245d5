import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import type { ActionPreview } from "../api";
import { newKey } from "../call";
import type { Reading } from "../readings";
import { problemsBesideMoney } from "../sentences";
import { useForm } from "../useForm";
import { useWords } from "../words";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Form } from "./Form";
import { Notice } from "./Notice";
import { OneSourceField } from "./OneSourceField";
import { PreviewShown } from "./PreviewShown";
import { Shown } from "./Shown";

/** The terms of a consent to a preview: its highest fee, and whether one source for the chain is enough. */
export interface Agreed {
  readonly feeMax: string;
  readonly acceptsOneSource?: true;
}

interface Props {
  readonly title: string;
  /** The words of the button that agrees. */
  readonly action: string;
  readonly look?: "main" | "danger";
  readonly of: Reading<ActionPreview> & { again(): void };
  /** Gets the terms of what was shown, the key of this question, and the preview, so that nothing else is signed. */
  readonly onAgree: (agreed: Agreed, key: string, preview: ActionPreview) => void | Promise<void>;
  readonly onClose: () => void;
  /** Below what is shown, such as a choice of the fee. */
  readonly children?: ReactNode;
}

/** Shows all that something does, and asks once; nobody agrees while the preview is read again or could not be read. */
export function ConsentDialog({ title, action, look = "main", of, onAgree, onClose, children }: Props) {
  const words = useWords();
  const [key] = useState(newKey);
  const isAgreed = useRef(false);
  const form = useForm({ acceptsOneSource: false });
  // The screen of what follows is here before somebody agrees, so that its steps show at once.
  useEffect(() => void import("../../money/OperationScreen").catch(() => undefined), []);
  // Another preview needs another consent.
  const { acceptsOneSource } = form.values;
  const { answer } = of;
  const text = JSON.stringify(answer);
  useLayoutEffect(() => {
    if (acceptsOneSource) form.set("acceptsOneSource", false);
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps -- only if it changes
  }, [text]);

  async function agree(): Promise<void> {
    if (answer === null || isAgreed.current) return;
    const { feeMax, restsOnOneSource } = answer;
    if (restsOnOneSource && !acceptsOneSource && form.refuse({ acceptsOneSource: words.say("page.agreeFirst") })) return;
    isAgreed.current = true;
    try {
      // Without a highest fee nothing may be paid for it.
      await onAgree({ feeMax: feeMax ?? "0", ...(restsOnOneSource && { acceptsOneSource: true }) }, key, answer);
    } catch (error) {
      isAgreed.current = false;
      throw error;
    }
  }

  const notNow = <Button onClick={onClose}>{words.say("page.notNow")}</Button>;
  return (
    <Dialog title={title} onClose={onClose}>
      <Shown of={of}>
        {(preview) => {
          const others = problemsBesideMoney(preview.problems);
          return (
            <div className="stack">
              <PreviewShown preview={preview} isExplained />
              {others.length > 0 && <Notice kind="fault" isNews>{others.map((one) => <p key={one.detail}>{words.problem(one)}</p>)}</Notice>}
              {preview.problems.length > 0 ? <div className="beside">{notNow}</div> : (
                <Form form={form} action={action} onSend={agree} look={look} isWaiting={of.isReading || of.error !== null} beside={notNow}>
                  {children}
                  <OneSourceField form={form} isNeeded={preview.restsOnOneSource === true} />
                </Form>
              )}
            </div>
          );
        }}
      </Shown>
    </Dialog>
  );
}
