import { short } from "../shared/addresses";
import { useAll } from "../shared/useAll";
import { useWords } from "../shared/words";

/** Names sales by the titles that they promise; one without a known title by its number. */
export function useSaleTitles(): (sale: string) => string {
  const words = useWords();
  const sales = useAll("GET /v1/sales", {}, ["sale"]);
  const titles = new Map((sales.answer ?? []).map((one) => [one.id, one.promised?.title]));
  return (sale) => titles.get(sale) ?? words.say("page.saleOf", { id: short(sale) });
}
