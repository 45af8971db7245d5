import { useId, type ReactNode } from "react";
import type { FieldProps, Values } from "../useForm";

interface Props<V extends Values> extends FieldProps<V> {
  readonly children: ReactNode;
}

/** A field of a form for yes or no. */
export function CheckField<V extends Values>({ form, name, children }: Props<V>) {
  const id = useId();
  form.has(name);
  const faults = form.faults.get(name) ?? [];
  return (
    <div className="field">
      <label className="check">
        <input type="checkbox" name={name} checked={form.values[name] === true} aria-invalid={faults.length > 0 || undefined}
          aria-describedby={faults.length > 0 ? id : undefined}
          onChange={(event) => form.set(name, event.target.checked as V[keyof V & string])} />
        <span>{children}</span>
      </label>
      {faults.length > 0 && <div id={id}>{faults.map((fault) => <p key={fault} className="fault">{fault}</p>)}</div>}
    </div>
  );
}
