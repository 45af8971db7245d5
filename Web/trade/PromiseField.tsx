import { useEffect, useRef, useState } from "react";
import type { ActionPreview, Sentence } from "../shared/api";
import { CheckField } from "../shared/parts/CheckField";
import { Notice } from "../shared/parts/Notice";
import type { FormState, Values } from "../shared/useForm";
import { useWords } from "../shared/words";
import { forPeople } from "../shared/sentences";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  readonly preview: ActionPreview | null;
}

/** How the sale differs from what was agreed, and the consent to it, for this sale alone; nothing if it does not differ. */
export function PromiseField<V extends Values & { readonly acceptsChanges: boolean }>({ form, preview }: Props<V>) {
  const words = useWords();
  const [shown, setShown] = useState<readonly Sentence[]>([]);
  const agreed = useRef<string | undefined>(undefined);
  const isAccepted = form.values.acceptsChanges;
  const found = (preview?.problems ?? []).filter((one) => one.code === "not_as_promised" && one.field === "acceptsChanges");
  const differences = found.flatMap((one) => forPeople(one.reason ?? []));
  const text = JSON.stringify(differences);
  useEffect(() => {
    // Once they are accepted, the preview no longer names them.
    if (differences.length > 0) setShown(differences);
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps
  }, [text]);
  const sale = preview?.sale?.id;
  useEffect(() => {
    if (sale === undefined || !isAccepted) return;
    // Another sale differs in its own way.
    if (agreed.current !== undefined && agreed.current !== sale) form.set("acceptsChanges", false as V["acceptsChanges"]);
    agreed.current = sale;
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps
  }, [sale, isAccepted]);
  if (found.length === 0 && !isAccepted) return null;
  return (
    <div className="stack close">
      {shown.length > 0 && (
        // The same sentence can come twice with other values.
        // eslint-disable-next-line react/no-array-index-key
        <Notice kind="warn">{shown.map((one, index) => <p key={index}>{words.said(one)}</p>)}</Notice>
      )}
      <CheckField form={form} name="acceptsChanges">{words.say("page.acceptsDifferences")}</CheckField>
    </div>
  );
}
