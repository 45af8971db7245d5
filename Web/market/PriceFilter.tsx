import type { ListingFacets } from "../shared/api";
import { unitOf } from "../shared/currencies";
import { exact, smallest } from "../shared/money";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { changed } from "./searchTerms";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  readonly prices: ListingFacets["prices"];
}

/** The least and the highest price, in the currency in which most listings are. */
export function PriceFilter({ base, query, prices }: Props) {
  const words = useWords();
  const currency = query.get("currency") ?? prices[0]?.currency;
  const unit = currency === undefined ? undefined : unitOf(currency, undefined);
  const typed = (name: string): string => {
    const amount = query.get(name);
    return amount !== null && unit !== undefined && /^\d+$/.test(amount) ? exact(amount, unit.decimals) : "";
  };
  const form = useForm({ priceMin: typed("priceMin"), priceMax: typed("priceMax") });
  if (currency === undefined || unit === undefined) return null;

  async function apply(): Promise<void> {
    const faults: Record<string, string> = {};
    const found: Record<string, string | null> = {};
    for (const name of ["priceMin", "priceMax"] as const) {
      const text = form.values[name];
      found[name] = text.trim() === "" ? null : smallest(text, unit?.decimals ?? 18);
      if (text.trim() !== "" && found[name] === null) faults[name] = words.say("page.notAnAmount");
    }
    if (form.refuse(faults)) return;
    form.done();
    go(changed(base, query, { ...found, currency: currency ?? null }));
  }

  return (
    <section className="stack close">
      <h2 className="note">{words.say("page.priceIn", { unit: unit.symbol })}</h2>
      <Form form={form} action={words.say("page.apply")} onSend={apply} look="quiet">
        <div className="pair">
          <TextField form={form} name="priceMin" label={words.say("page.priceFrom")} inputMode="decimal" />
          <TextField form={form} name="priceMax" label={words.say("page.priceTo")} inputMode="decimal" />
        </div>
      </Form>
    </section>
  );
}
