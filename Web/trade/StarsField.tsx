import { Icon } from "../shared/parts/Icon";
import type { FieldProps, Values } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props<V extends Values> extends FieldProps<V> {
  readonly label: string;
}

/** One to five stars, chosen by click or by the arrow keys. */
export function StarsField<V extends Values>({ form, name, label }: Props<V>) {
  const words = useWords();
  form.has(name);
  const faults = form.faults.get(name) ?? [];
  const chosen = Number(form.values[name]);
  return (
    <fieldset className="field">
      <legend className="strong note">{label}</legend>
      <div className="star-choice">
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars} className={stars <= chosen ? "star chosen" : "star"}>
            <input type="radio" className="unseen" name={name} value={stars} checked={stars === chosen}
              data-faults={faults.length > 0 && stars === 1 ? true : undefined}
              onChange={() => form.set(name, String(stars) as V[keyof V & string])} />
            <Icon name="star" isFilled={stars <= chosen} />
            <span className="unseen">{words.say("page.starsGiven", { count: stars })}</span>
          </label>
        ))}
      </div>
      {faults.map((fault) => <p key={fault} className="fault">{fault}</p>)}
    </fieldset>
  );
}
