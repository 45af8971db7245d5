import { useId } from "react";

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChoose: (value: Value) => void;
  /** Whether the label is only said, because the choices say enough. */
  readonly isQuiet?: boolean;
}

/** One of few values, which counts as soon as it is chosen. */
export function Choice<Value extends string>({ label, value, options, onChoose, isQuiet = false }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className="stack close">
      {isQuiet ? <legend className="unseen">{label}</legend> : <legend><h2>{label}</h2></legend>}
      <div className="choices">
        {options.map(([one, words]) => (
          <label key={one} className="pill">
            <input type="radio" className="unseen" name={name} checked={one === value} onChange={() => onChoose(one)} />{words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
