import type { ActionPreview } from "../api";
import type { Reading } from "../readings";
import { useWords } from "../words";
import { PreviewShown } from "./PreviewShown";
import { Shown } from "./Shown";

/** The costs of a form's action, beside the form; paler while they are read again. */
export function PreviewCosts({ of }: { readonly of: Reading<ActionPreview> & { again(): void } }) {
  const words = useWords();
  return (
    <div className="deal-costs stack" aria-busy={of.isReading}>
      <h2>{words.say("page.whatItCosts")}</h2>
      <Shown of={of}>{(preview) => <PreviewShown preview={preview} />}</Shown>
    </div>
  );
}
