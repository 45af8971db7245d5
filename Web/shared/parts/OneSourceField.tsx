import type { FormState, Values } from "../useForm";
import { useWords } from "../words";
import { CheckField } from "./CheckField";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  /** Whether only one source answers for the chain. */
  readonly isNeeded: boolean;
}

/** The question whether one source for the chain is enough; nothing if there are more. */
export function OneSourceField<V extends Values & { readonly acceptsOneSource: boolean }>({ form, isNeeded }: Props<V>) {
  const words = useWords();
  if (!isNeeded && !form.values.acceptsOneSource) return null;
  return <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>;
}
