import type { DeliveryAddress, Listing, Sale } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { exact } from "../shared/money";
import { CheckField } from "../shared/parts/CheckField";
import type { FeeSpeed } from "../shared/parts/FeeField";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { firstPlace, PlaceField } from "./AddressFields";
import { bidOf, type BidValues } from "./bid";
import { useFreeMoney } from "./freeMoney";
import { consents, DealForm } from "./DealForm";
import { ListingAuction } from "./ListingAuction";
import { problemsForPeople } from "../shared/sentences";
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
  }, { keep: `bid.${listing.id}`, called: { fromCredit: "bid" }, secret: consents });
  const feeSpeed = form.values.feeSpeed as FeeSpeed;
  const intent = useIntent(`bid.${sale.id}`);
  const free = useFreeMoney(sale, true);
  const replaced = sale.own === "highest_bidder" ? BigInt(sale.auction?.ownBid ?? "0") : 0n;
  const credit = free.inContract + replaced;
  const body = bidOf(listing, sale, form.values, credit, unit?.decimals ?? 0);
  // Before somebody types, the costs of the lowest bid are shown.
  const least = minimalBid?.amount ?? content.price.amount;
  const asked = { body: { ...body, bid: body.bid ?? least }, query: { feeSpeed } };
  const reading = usePreview("POST /v1/sales/preview", asked, ["sale", "operation", "listing"]);

  async function bid(): Promise<void> {
    if (body.bid === undefined && form.refuse({ bid: words.say("page.notAnAmount") })) return;
    const preview = await reading.shown();
    if (preview === null || form.show(problemsForPeople(preview.problems))) return;
    const { sale: shown, feeMax } = preview;
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
      <DealForm form={form} listing={listing} of={reading} action={words.say("page.bid")} onSend={bid} note={words.say("page.bidBinds")}>
        <TextField form={form} name="bid" label={words.say("page.yourBid")} inputMode="decimal" autoComplete="off" unit={unit?.symbol}
          hint={words.say("page.bidHint", { amount: unit === undefined ? least : `${exact(least, unit.decimals)} ${unit.symbol}` })} />
        {credit > 0n && (
          <CheckField form={form} name="usesCredit">
            {words.say(replaced > 0n ? "page.payFromBid" : "page.payFromCredit", { amount: amount(credit) })}
          </CheckField>
        )}
        {content.delivery === "shipping" && <PlaceField form={form} listing={listing} />}
        {content.delivery === "shipping" && <p className="soft note">{words.say("page.winnerAddress")}</p>}
      </DealForm>
    </>
  );
}
