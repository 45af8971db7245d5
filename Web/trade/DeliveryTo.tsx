import type { Sale } from "../shared/api";
import { CopyButton } from "../shared/parts/CopyButton";
import { useWords } from "../shared/words";

/** Where it is sent, for those who may know it. */
export function DeliveryTo({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  if (sale.deliveryAddress == null || sale.deliveryAddress === "") return null;
  return (
    <section className="stack close">
      <h2>{words.say("page.deliveryAddress")}</h2>
      <p className="lines"><bdi>{sale.deliveryAddress}</bdi></p>
      <p><CopyButton text={sale.deliveryAddress} name={words.say("page.copyAddress")} /></p>
    </section>
  );
}
