import { currencies, readCurrencies } from "../shared/currencies";
import { Fault } from "../shared/parts/Fault";
import { Loading } from "../shared/parts/Loading";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { keptAs } from "./begun";
import { copyOf, startOf, type Start } from "./fromContent";
import { SellForm } from "./SellForm";

/**
 * The form with what it begins with: nothing, a draft, a copy of a listing, what was bought in a sale, or what an operation
 * failed to list.
 */
export function SellStart({ query }: { readonly query: URLSearchParams }) {
  const [again, draft, copy, sale] = ["again", "draft", "copy", "sale"].map((name) => query.get(name)) as readonly (string | null)[];
  const from = again == null ? [draft, copy, sale].findIndex((one) => one != null) : -1;
  const chains = useCall("GET /v1/chains", {});
  const categories = useCall("GET /v1/categories", {});
  const drafted = useCall("GET /v1/drafts/{id}", from === 0 ? { path: { id: draft ?? "" } } : null);
  const copied = useCall("GET /v1/listings/{id}", from === 1 ? { path: { id: copy ?? "" }, query: {} } : null);
  const bought = useCall("GET /v1/sales/{id}/resale", from === 2 ? { path: { id: sale ?? "" } } : null);
  // Without the decimals of a token its amounts would be written as others.
  const hasUnits = useStore(currencies).length > 0 || chains.answer?.length === 0;
  const own = [drafted, copied, bought][from];
  const readings = [chains, categories, ...(own === undefined ? [] : [own])];
  const failed = readings.find((one) => one.answer === null && one.error !== null);
  if (failed?.error != null) return <Fault error={failed.error} again={failed.again} />;
  if (chains.answer === null || categories.answer === null || (own !== undefined && (own.answer === null || !hasUnits))) {
    return <Loading again={() => {
      readings.forEach((one) => one.again());
      void readCurrencies();
    }} />;
  }
  const known = chains.answer.map((one) => one.chain);
  let start: Start | null = null;
  if (drafted.answer !== null && from === 0) start = startOf(drafted.answer.content, known);
  if (copied.answer !== null && from === 1) start = copyOf(copied.answer.content, known);
  if (bought.answer !== null && from === 2) start = startOf(bought.answer, known);
  const keep = again != null ? keptAs(again) : from === -1 ? "sell" : `sell.${["draft", "copy", "sale"][from]}.${[draft, copy, sale][from]}`;
  return <SellForm chains={chains.answer} categories={categories.answer.map((one) => one.id)} start={start} keep={keep} draft={draft ?? null} />;
}
