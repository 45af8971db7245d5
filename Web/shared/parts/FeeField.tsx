import { ChoiceField } from "./ChoiceField";
import type { FieldProps, Values } from "../useForm";
import { useWords } from "../words";

export const feeSpeeds = ["slow", "normal", "fast"] as const;
export type FeeSpeed = (typeof feeSpeeds)[number];

/** The words of each. */
export const feeNames = { slow: "page.feeSlow", normal: "page.feeNormal", fast: "page.feeFast" } as const;

/** How much the account pays the chain to be quick. */
export function FeeField<V extends Values>({ form, name }: FieldProps<V>) {
  const words = useWords();
  return (
    <ChoiceField form={form} name={name} label={words.say("page.feeSpeed")}
      options={feeSpeeds.map((speed) => [speed, words.say(feeNames[speed])] as const)} />
  );
}
