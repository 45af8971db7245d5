import { useRef, useState } from "react";
import { ChainLine } from "../shared/parts/ChainLine";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { sumsOf, type CheckoutLine } from "./checkout";
import { forPeople } from "../shared/sentences";

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

/** A line with all its digits: what leaves, what comes back, and what to consider. */
function ConsentLine({ line: { saved, preview } }: { readonly line: CheckoutLine }) {
  const words = useWords();
  if (preview === null) return null;
  const chain = preview.chain ?? undefined;
  const warnings = forPeople(preview.warnings);
  return (
    <li className="stack close step">
      <h3><bdi>{saved.title ?? saved.listing}</bdi></h3>
      <p className="note"><Person account={saved.seller} name={saved.profile?.name} avatar={saved.profile?.avatar} size="mini" isLink={false} /></p>
      <ChainLine chain={chain} />
      <dl className="costs note">
        {preview.leaves.map((one, index) => (
          // The same amount can leave twice.
          // eslint-disable-next-line react/no-array-index-key
          <div key={index} className="cost-row">
            <dt className="soft">{one.purpose === "fee" ? words.say("page.feeAtMost") : words.alone(words.named("purpose", one.purpose))}</dt>
            <dd><Money amount={one.amount} currency={one.currency} chain={chain} rounding={one.purpose === "fee" ? "up" : "whole"} /></dd>
          </div>
        ))}
        {preview.total.map((one) => (
          <div key={one.currency} className="cost-row strong">
            <dt>{words.say("page.totalAtMost")}</dt><dd><Money {...one} chain={chain} rounding="up" /></dd>
          </div>
        ))}
      </dl>
      {preview.comesBack.length > 0 && <h4 className="small">{words.say("page.comesBack")}</h4>}
      {preview.comesBack.map((one, index) => (
        // eslint-disable-next-line react/no-array-index-key
        <p key={index} className="small soft">
          <Money amount={one.amount} currency={one.currency} chain={chain} rounding="down" />, {words.said(one.when)}
          {one.from != null && <> (<Time at={one.from} />)</>}
        </p>
      ))}
      {warnings.length > 0 && <Notice kind="warn">{warnings.map((one) => <p key={one.code}>{words.said(one)}</p>)}</Notice>}
    </li>
  );
}
