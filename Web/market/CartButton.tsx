import { useState } from "react";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** Puts a listing into the cart, which reserves nothing; then leads there. */
export function CartButton({ listing }: { readonly listing: string }) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const cart = useCall("GET /v1/cart", hasAccount ? {} : null);
  const [isIn, setIn] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  if (!hasAccount) return null;
  if (isIn || cart.answer?.lines.some((one) => one.listing === listing) === true) {
    return <Link to="/cart" className="button full"><Icon name="check" />{words.say("page.inCart")}</Link>;
  }

  async function put(): Promise<void> {
    setIn(true);
    setError(null);
    try {
      await call("PUT /v1/cart/{id}", { path: { id: listing }, body: { quantity: 1 } });
      cart.again();
    } catch (fault) {
      setIn(false);
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  return (
    <>
      <Button isFull onClick={() => void put()}><Icon name="cart" />{words.say("page.addToCart")}</Button>
      {error !== null && <Fault error={error} />}
    </>
  );
}
