import { useId, type ReactNode } from "react";
import type { FieldProps, Values } from "../useForm";
import { Icon } from "./Icon";

/** The attributes of a control, by which its label, its hint and its fault are said with it. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly className: string;
}

interface Labels {
  readonly label: string;
  readonly hint?: ReactNode;
}

/** The properties of a field of a form with a label and a hint. */
export interface LabelledProps<V extends Values> extends FieldProps<V>, Labels {}

interface Props extends Labels {
  readonly faults?: readonly string[] | undefined;
  readonly children: (control: ControlProps) => ReactNode;
}

/** A label, a control, what helps to fill it in, and what is wrong with it. */
export function Field({ label, hint, faults = [], children }: Props) {
  const id = useId();
  const hasFaults = faults.length > 0;
  const described = [hasFaults ? `${id}-fault` : "", hint === undefined ? "" : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": hasFaults || undefined, className: "control" })}
      {hasFaults && (
        <div id={`${id}-fault`} className="fault">
          <Icon name="warn" /><div>{faults.map((fault) => <p key={fault}>{fault}</p>)}</div>
        </div>
      )}
      {hint !== undefined && <div id={`${id}-hint`} className="hint">{hint}</div>}
    </div>
  );
}
