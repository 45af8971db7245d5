import type { ActionPreview } from "../shared/api";
import { CheckField } from "../shared/parts/CheckField";
import { Shown } from "../shared/parts/Shown";
import type { Reading } from "../shared/readings";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { forPeople } from "../shared/sentences";

interface Props<V extends { readonly acceptsOneSource: boolean }> {
  readonly of: Reading<ActionPreview> & { again(): void };
  readonly form: FormState<V & Readonly<Record<string, string | boolean>>>;
  /** Whether the form says all that a preview needs. */
  readonly isWhole?: boolean;
}

/** What a move does and costs, and the question whether one source for the chain is enough. */
export function MovePreview<V extends { readonly acceptsOneSource: boolean }>({ of, form, isWhole = true }: Props<V>) {
  const words = useWords();
  return (
    <>
      {(of.answer?.restsOnOneSource === true || form.values.acceptsOneSource) && (
        <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>
      )}
      {isWhole && (
        <div className="move-preview stack" aria-live="polite">
          <Shown of={of}>
            {(preview) => (
              <>
                <div className="stack close">{forPeople(preview.summary).map((one) => <p key={one.code}>{words.said(one)}</p>)}</div>
                <PreviewShown preview={preview} isExplained />
              </>
            )}
          </Shown>
        </div>
      )}
    </>
  );
}
