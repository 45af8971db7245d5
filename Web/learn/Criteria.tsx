import type { SaleCriteria } from "../shared/api";
import { useWords } from "../shared/words";

/** The five questions of an evaluation, in the contract's order. */
export const criteria = ["preparation", "content", "delivery", "communication", "overall"] as const;

/** The average of each question, as bars. */
export function Criteria({ of }: { readonly of: SaleCriteria }) {
  const words = useWords();
  return (
    <dl className="criteria">
      {criteria.map((name) => (
        <div key={name} className="criterion">
          <dt>{words.say(`label.${name}`)}</dt>
          <dd><meter min={0} max={100} value={of[name]} aria-label={words.say(`label.${name}`)} /><span className="numbers">{of[name]}</span></dd>
        </div>
      ))}
    </dl>
  );
}
