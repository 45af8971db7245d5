import { short } from "../shared/addresses";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** Names sales by the titles that they promise; one without a known title by its number. */
export function useSaleTitles(): (sale: string) => string {
  const words = useWords();
  const sales = useCall("GET /v1/sales", { query: { limit: 100 } }, ["sale"]);
  const titles = new Map((sales.answer?.items ?? []).map((one) => [one.id, one.promised?.title]));
  return (sale) => titles.get(sale) ?? words.say("page.saleOf", { id: short(sale) });
}
