import type { ActionPreview, DeliveryAddress, Listing, Sale } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { exact } from "../shared/money";
import { CheckField } from "../shared/parts/CheckField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { firstPlace, PlaceField } from "./AddressFields";
import { bidOf, type BidValues } from "./bid";
import { useFreeMoney } from "./freeMoney";
import { FeeField, type FeeSpeed } from "../shared/parts/FeeField";
import { ListingAuction } from "./ListingAuction";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { PromiseField } from "./PromiseField";
import { forPeople, problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { usePreview } from "../shared/usePreview";

interface Props {
  readonly listing: Listing;
  readonly sale: Sale;
  /** The account's delivery address. */
  readonly address: DeliveryAddress;
  readonly again: () => void;
}

/** A bid, beside how the auction stands and all that money does in it. */
export function BidForm({ listing, sale, address, again }: Props) {
  const words = useWords();
  const { content, minimalBid } = listing;
  const unit = unitOf(content.price.currency, sale.chain);
  const form = useForm<BidValues>({
    bid: "", usesCredit: true, shipTo: firstPlace(content.shipsTo, address), feeSpeed: "normal", acceptsChanges: false, acceptsOneSource: false,
  }, { keep: `bid.${listing.id}`, called: { fromCredit: "bid" }, secret: ["acceptsChanges", "acceptsOneSource"] });
  const feeSpeed = form.values.feeSpeed as FeeSpeed;
  const intent = useIntent(`bid.${listing.id}`);
  const free = useFreeMoney(sale, true);
  const replaced = sale.own === "highest_bidder" ? BigInt(sale.auction?.ownBid ?? "0") : 0n;
  const credit = free.inContract + replaced;
  const body = bidOf(listing, sale, form.values, credit, unit?.decimals ?? 0);
  // Before somebody types, the costs of the lowest bid are shown.
  const least = minimalBid?.amount ?? content.price.amount;
  const asked = { body: { ...body, bid: body.bid ?? least }, query: { feeSpeed } };
  const reading = usePreview("POST /v1/sales/preview", asked, ["sale", "operation", "listing"]);
  const preview = reading.answer;

  async function current(): Promise<ActionPreview> {
    return preview !== null && reading.error === null ? preview : await call("POST /v1/sales/preview", asked);
  }

  async function bid(): Promise<void> {
    if (body.bid === undefined && form.refuse({ bid: words.say("page.notAnAmount") })) return;
    const { problems, sale: shown, feeMax } = await current();
    if (form.show(problemsForPeople(problems))) return;
    const begun = await intent((once) => call("POST /v1/sales", {
      once, query: { feeMax: feeMax ?? "0", feeSpeed }, body: { ...asked.body, ...(shown != null && { sale: shown.id }) },
    }));
    form.done();
    go(`/listings/${listing.id}/buy?${new URLSearchParams({ operation: begun.id })}`, "replace");
  }

  const amount = (of: bigint | string): string => words.money(String(of), content.price.currency, sale.chain, "down");
  return (
    <>
      <ListingAuction listing={listing} again={again} />
      <div className="deal">
        <div className="deal-costs stack" aria-busy={reading.isReading}>
          <h2>{words.say("page.whatItCosts")}</h2>
          <Shown of={reading}>
            {(shown) => (
              <>
                <p className="note">{words.said(forPeople(shown.summary))}</p>
                {shown.explanation.filter((one) => one.code === "auction.fromCredit")
                  .map((one) => <p key={one.code} className="note">{words.said(one)}</p>)}
                <PreviewShown preview={shown} />
              </>
            )}
          </Shown>
        </div>
        <Form form={form} action={words.say("page.bid")} onSend={bid} isWaiting={reading.isWaiting}
          beside={<Link to={`/listings/${listing.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
          <TextField form={form} name="bid" label={words.say("page.yourBid")} inputMode="decimal" autoComplete="off" unit={unit?.symbol}
            hint={words.say("page.bidHint", { amount: unit === undefined ? least : `${exact(least, unit.decimals)} ${unit.symbol}` })} />
          {credit > 0n && (
            <CheckField form={form} name="usesCredit">
              {words.say(replaced > 0n ? "page.payFromBid" : "page.payFromCredit", { amount: amount(credit) })}
            </CheckField>
          )}
          {content.delivery === "shipping" && <PlaceField form={form} listing={listing} />}
          {content.delivery === "shipping" && <p className="soft note">{words.say("page.winnerAddress")}</p>}
          {content.delivery === "pickup" && content.pickupPlace != null && (
            <p>{words.say("page.youCollectAt")} <bdi className="strong">{content.pickupPlace}</bdi></p>
          )}
          <FeeField form={form} name="feeSpeed" />
          <PromiseField form={form} preview={preview} />
          {(preview?.restsOnOneSource || form.values.acceptsOneSource) && (
            <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>
          )}
          <p className="soft note">{words.say("page.bidBinds")}</p>
        </Form>
      </div>
    </>
  );
}
