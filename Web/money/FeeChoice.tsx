import { useId } from "react";
import { feeNames, feeSpeeds } from "../shared/parts/FeeField";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";
import type { Fees } from "./useFees";

/** Chooses how fast the chain takes a transaction; shows the highest fee of each choice, unlike FeeField, whose form has one preview. */
export function FeeChoice({ fees: { speed, choose, amounts, chain } }: { readonly fees: Fees }) {
  const words = useWords();
  const name = useId();
  return (
    <fieldset className="field">
      <legend className="strong note">{words.say("page.feeSpeed")}</legend>
      <div className="fees">
        {feeSpeeds.map((one) => (
          <label key={one} className="pill">
            <input type="radio" className="unseen" name={name} checked={one === speed} onChange={() => choose(one)} />
            <span>{words.say(feeNames[one])}</span>
            {amounts[one] !== null && <span className="small"><Money amount={amounts[one] ?? "0"} currency="native" chain={chain} rounding="up" /></span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
