import { ChoiceField } from "./ChoiceField";
import type { FieldProps, Values } from "../useForm";
import { useWords } from "../words";

export type FeeSpeed = "slow" | "normal" | "fast";

/** How much the account pays the chain to be quick. */
export function FeeField<V extends Values>({ form, name }: FieldProps<V>) {
  const words = useWords();
  return (
    <ChoiceField form={form} name={name} label={words.say("page.feeSpeed")}
      options={[["slow", words.say("page.feeSlow")], ["normal", words.say("page.feeNormal")], ["fast", words.say("page.feeFast")]]} />
  );
}
