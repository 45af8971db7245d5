import type { Sale, SaleAction } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { doesOf, expectedMove, moveOf, openMoves } from "./saleMoves";

/** What the person has chosen to do in a sale. */
export type Chosen =
  | { readonly kind: "move"; readonly action: SaleAction }
  | { readonly kind: "sent" }
  | { readonly kind: "address" };

interface Props {
  readonly sale: Sale;
  readonly onChoose: (chosen: Chosen) => void;
}

/** What the account can do, each with what happens then. */
export function Moves({ sale, onChoose }: Props) {
  const words = useWords();
  const open = openMoves(sale);
  const expected = expectedMove(sale);
  const steps = sale.nextSteps.map((step) => step.words.code);
  const isSeller = sale.own === "seller";
  const canSay = sale.isToBeSent === true && isSeller;
  const canTell = steps.includes("next.address");
  const canCollect = steps.includes("next.collect") && sale.own !== "outbid" && sale.own !== "lost";
  if (open.length === 0 && !canSay && !canTell && !canCollect) return null;
  return (
    <section className="stack">
      <h2>{words.say("page.whatYouCanDo")}</h2>
      <ul className="rows">
        {canTell && (
          <li className="move">
            <p className="soft">{words.say("page.tellAddressWhy")}</p>
            <Button look="main" onClick={() => onChoose({ kind: "address" })}>{words.say("page.tellAddress")}</Button>
          </li>
        )}
        {canSay && (
          <li className="move">
            <p className="soft">{words.say("page.saySentWhy")}</p>
            <Button look="main" onClick={() => onChoose({ kind: "sent" })}>{words.say("page.moveTransfer")}</Button>
          </li>
        )}
        {canCollect && (
          <li className="move">
            <p className="soft">{words.say("page.collectWhy")}</p>
            <Link to="/wallet" className="button">{words.say("page.toWallet")}</Link>
          </li>
        )}
        {open.map((action) => (
          <li key={`${action.move} ${action.share ?? ""}`} className="move">
            <div className="stack close">
              <p className="soft note">{words.said(action.consequence)}</p>
              {action.move === "take" && <p className="soft note">{words.say("page.takeShowsNotes")}</p>}
              {action.until != null && <p className="small soft">{words.say("page.untilTime")} <Time at={action.until} /></p>}
            </div>
            <Button look={action.move === expected && !canTell ? "main" : moveOf(action.move)?.isDanger ? "danger" : "quiet"}
              onClick={() => onChoose({ kind: "move", action })}>{words.say(doesOf(sale, action.move))}</Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
