import { ChoiceField } from "./ChoiceField";
import type { FormState, Values } from "../useForm";
import { useWords } from "../words";

export type FeeSpeed = "slow" | "normal" | "fast";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  readonly name: keyof V & string;
}

/** How much the account pays the chain to be quick. */
export function FeeField<V extends Values>({ form, name }: Props<V>) {
  const words = useWords();
  return (
    <ChoiceField form={form} name={name} label={words.say("page.feeSpeed")}
      options={[["slow", words.say("page.feeSlow")], ["normal", words.say("page.feeNormal")], ["fast", words.say("page.feeFast")]]} />
  );
}
