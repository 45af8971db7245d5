import type { Sale, SaleMove } from "../shared/api";
import { call } from "../shared/call";
import type { FormState, Values } from "../shared/useForm";
import { problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { usePreview } from "../shared/usePreview";

interface Given<V extends Values> {
  readonly sale: Sale;
  /** The move; null while the form does not say all of it. */
  readonly move: SaleMove | null;
  /** The name of the intent, as in `useIntent`. */
  readonly name: string;
  readonly form: FormState<V>;
  /** Called with the operation once it has begun. */
  readonly onBegun: (operation: string) => void;
  /** How long nothing is typed before the preview is read. */
  readonly milliseconds?: number;
}

/** The preview of a sale's move, and the call that makes it once, for no more than the fee that was shown. */
export function useMove<V extends Values>({ sale, move, name, form, onBegun, milliseconds }: Given<V>) {
  const intent = useIntent(name);
  const path = { id: sale.id };
  const asked = move === null ? null : { path, body: move, query: {} };
  const reading = usePreview("POST /v1/sales/{id}/moves/preview", asked, ["sale", "operation"], milliseconds);

  async function make(more: Partial<SaleMove> = {}): Promise<void> {
    if (move === null) return;
    const preview = await reading.shown();
    if (preview === null || form.show(problemsForPeople(preview.problems))) return;
    const begun = await intent((once) => call("POST /v1/sales/{id}/moves", {
      once, path, body: { ...move, ...more }, query: { feeMax: preview.feeMax ?? "0" },
    }));
    form.done();
    onBegun(begun.id);
  }

  return { reading, make };
}
