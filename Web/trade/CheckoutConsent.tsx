import { useRef, useState } from "react";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { useWords } from "../shared/words";
import { sumsOf, type CheckoutLine } from "./checkout";

interface Props {
  readonly lines: readonly CheckoutLine[];
  readonly onClose: () => void;
  readonly onAgree: () => void;
}

/** The one question of a checkout: each line with its total, what comes back of it, and the sum of all. */
export function CheckoutConsent({ lines, onClose, onAgree }: Props) {
  const words = useWords();
  const isAgreed = useRef(false);
  const [isBusy, setBusy] = useState(false);

  function agree(): void {
    // A second click before the first is drawn.
    if (isAgreed.current) return;
    isAgreed.current = true;
    setBusy(true);
    onAgree();
  }

  return (
    <Dialog title={words.say("page.checkoutQuestion", { count: lines.length })} onClose={onClose}>
      <ol className="rows">
        {lines.map((line) => <ConsentLine key={line.saved.listing} line={line} />)}
      </ol>
      <dl className="costs">
        {sumsOf(lines).map((sum) => (
          <div key={`${sum.chain} ${sum.currency}`} className="sum-row">
            <dt>{words.say("page.checkoutSum", { count: lines.length })}</dt>
            <dd><Money amount={sum.amount} currency={sum.currency} chain={sum.chain} rounding="up" /></dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <Button onClick={onClose}>{words.say("page.notNow")}</Button>
        <Button look="main" isBusy={isBusy} onClick={agree}>{words.say("page.buyAll", { count: lines.length })}</Button>
      </div>
    </Dialog>
  );
}

/** A line with all that it does by itself. */
function ConsentLine({ line: { saved, preview } }: { readonly line: CheckoutLine }) {
  if (preview === null) return null;
  return (
    <li className="stack close step">
      <h3><bdi>{saved.title ?? saved.listing}</bdi></h3>
      <p className="note"><Person account={saved.seller} name={saved.profile?.name} avatar={saved.profile?.avatar} size="mini" isLink={false} /></p>
      <PreviewShown preview={preview} isOneOfMany />
    </li>
  );
}
