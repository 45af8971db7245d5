import type { HTMLInputTypeAttribute, ReactNode } from "react";
import type { Values } from "../useForm";
import { Field, type LabelledProps } from "./Field";

interface Props<V extends Values> extends LabelledProps<V> {
  readonly type?: HTMLInputTypeAttribute;
  /** Several lines instead of one. */
  readonly isLong?: boolean;
  /** Behind it, such as a currency. */
  readonly unit?: ReactNode;
  readonly autoComplete?: string;
  readonly inputMode?: "text" | "decimal" | "numeric";
  readonly placeholder?: string;
  readonly lang?: string;
}

/** A field of a form for a text, a password or an amount. */
export function TextField<V extends Values>({ form, name, label, hint, type = "text", isLong = false, unit, ...rest }: Props<V>) {
  form.has(name);
  const value = String(form.values[name]);
  const change = (text: string): void => form.set(name, text as V[keyof V & string]);
  return (
    <Field label={label} hint={hint} faults={form.faults.get(name)}>
      {(control) => {
        const shared = { ...control, ...rest, name, value };
        if (isLong) return <textarea {...shared} onChange={(event) => change(event.target.value)} />;
        const input = <input {...shared} type={type} onChange={(event) => change(event.target.value)} />;
        return unit === undefined ? input : <div className="with-unit">{input}<span className="soft">{unit}</span></div>;
      }}
    </Field>
  );
}
