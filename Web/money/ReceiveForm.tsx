import { useState } from "react";
import type { Wallet } from "../shared/api";
import { unitOf } from "../shared/currencies";
import { smallest } from "../shared/money";
import { CopyButton } from "../shared/parts/CopyButton";
import { Field } from "../shared/parts/Field";
import { QRCode } from "../shared/parts/QRCode";
import { useWords } from "../shared/words";
import { paymentUri } from "./paymentUri";

/** The address, and the request that its code has. */
export function ReceiveForm({ wallet: { account, chain, balances } }: { readonly wallet: Wallet }) {
  const words = useWords();
  const [typed, setTyped] = useState("");
  const [currency, setCurrency] = useState("native");
  const unit = unitOf(currency, chain);
  const read = typed.trim() === "" ? undefined : smallest(typed, unit?.decimals ?? 0);
  const isFault = read === null || read === "0";
  const uri = paymentUri({ account, chain, currency, amount: isFault ? undefined : read });
  return (
    <div className="stack">
      <div className="receive">
        <QRCode text={uri} />
        <div className="stack">
          <div className="stack close">
            <h2>{words.say("page.ownAddressTitle")}</h2>
            <p className="address">{account}</p>
            <div className="beside"><CopyButton text={account} name={words.say("page.copyAddress")} /></div>
          </div>
          <div className="stack close">
            <h2>{words.say("page.paymentRequest")}</h2>
            <p className="address soft small">{uri}</p>
            <div className="beside"><CopyButton text={uri} name={words.say("page.copyRequest")} /></div>
          </div>
        </div>
      </div>
      <div className="pair">
        <Field label={words.say("page.amountOptional")} hint={words.say("page.amountOptionalHint")}
          faults={isFault ? [words.say("page.notAnAmount")] : []}>
          {(control) => (
            <input {...control} name="amount" inputMode="decimal" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
          )}
        </Field>
        <Field label={words.say("page.currency")}>
          {(control) => (
            <select {...control} name="currency" value={currency} onChange={(event) => setCurrency(event.target.value)}>
              {balances.map((one) => <option key={one.currency} value={one.currency}>{unitOf(one.currency, chain)?.symbol ?? one.currency}</option>)}
            </select>
          )}
        </Field>
      </div>
    </div>
  );
}
