import type { Sale } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";

/** How a share divides the price: what each side gets of it, deposits and fees aside. */
export function Division({ sale, share }: { readonly sale: Sale; readonly share: number }) {
  const words = useWords();
  const [seller, buyer] = divided(sale, share);
  return (
    <dl className="costs">
      <dt>{words.say("page.sellerGets", { share: share / 100 })}</dt>
      <dd><Money amount={seller} currency={sale.price.currency} chain={sale.chain} rounding="down" /></dd>
      <dt>{words.say("page.buyerGets", { share: (10_000 - share) / 100 })}</dt>
      <dd><Money amount={buyer} currency={sale.price.currency} chain={sale.chain} rounding="down" /></dd>
    </dl>
  );
}

/** What the seller and the buyer get of the price. */
export function divided(sale: Sale, share: number): readonly [string, string] {
  const price = BigInt(sale.price.amount);
  const seller = price * BigInt(share) / 10_000n;
  return [seller.toString(), (price - seller).toString()];
}
