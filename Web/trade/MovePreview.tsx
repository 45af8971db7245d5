import type { ActionPreview } from "../shared/api";
import { OneSourceField } from "../shared/parts/OneSourceField";
import { Shown } from "../shared/parts/Shown";
import type { Reading } from "../shared/readings";
import type { FormState } from "../shared/useForm";
import { PreviewShown } from "../shared/parts/PreviewShown";

interface Props<V extends { readonly acceptsOneSource: boolean }> {
  readonly of: Reading<ActionPreview> & { again(): void };
  readonly form: FormState<V & Readonly<Record<string, string | boolean>>>;
  /** Whether the form says all that a preview needs. */
  readonly isWhole?: boolean;
}

/** What a move does and costs, and the question whether one source for the chain is enough. */
export function MovePreview<V extends { readonly acceptsOneSource: boolean }>({ of, form, isWhole = true }: Props<V>) {
  return (
    <>
      <OneSourceField form={form} isNeeded={of.answer?.restsOnOneSource === true} />
      {isWhole && (
        <div className="move-preview stack" aria-live="polite">
          <Shown of={of}>
            {(preview) => <PreviewShown preview={preview} isExplained />}
          </Shown>
        </div>
      )}
    </>
  );
}
