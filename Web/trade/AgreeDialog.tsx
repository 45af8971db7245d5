import { useState } from "react";
import type { ActionPreview, Sentence } from "../shared/api";
import { newKey } from "../shared/call";
import { CheckField } from "../shared/parts/CheckField";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { Shown } from "../shared/parts/Shown";
import type { Reading } from "../shared/readings";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { forPeople, problemsForPeople } from "../shared/sentences";

interface Props {
  readonly title: string;
  /** The words of the button that agrees. */
  readonly action: string;
  readonly of: Reading<ActionPreview> & { again(): void };
  readonly look?: "main" | "danger";
  /** Codes of the explanation's sentences that are seen first; the others on demand. Without it all are seen. */
  readonly first?: readonly string[];
  readonly onClose: () => void;
  /** Gets the preview that was shown, and a key of this question, so that two clicks are one operation. */
  readonly onAgree: (preview: ActionPreview, key: string) => void | Promise<void>;
}

/** Shows all that something does, and asks once; if only one source answers for the chain, that is agreed to as well. */
export function AgreeDialog({ title, action, of, look = "main", first = [], onClose, onAgree }: Props) {
  const words = useWords();
  const [key] = useState(newKey);
  const form = useForm({ acceptsOneSource: false });
  const preview = of.answer;
  const isFirst = ({ code }: Sentence): boolean => first.includes(code);

  async function agree(): Promise<void> {
    if (preview === null || form.show(problemsForPeople(preview.problems))) return;
    if (preview.restsOnOneSource && !form.values.acceptsOneSource && form.refuse({ acceptsOneSource: words.say("page.agreeFirst") })) return;
    await onAgree(preview, key);
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Shown of={of}>
        {(shown) => (
          <Form form={form} action={action} onSend={agree} look={look}>
            <div className="stack close">{forPeople(shown.summary).map((one) => <p key={one.code}>{words.said(one)}</p>)}</div>
            {first.length > 0 && (
              <Notice>{forPeople(shown.explanation.filter(isFirst)).map((one) => <p key={one.code}>{words.said(one)}</p>)}</Notice>
            )}
            <PreviewShown isExplained={first.length === 0}
              preview={{ ...shown, explanation: shown.explanation.filter((one) => !isFirst(one)) }} />
            {shown.restsOnOneSource && <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>}
          </Form>
        )}
      </Shown>
    </Dialog>
  );
}
