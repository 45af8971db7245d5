import type { Sale } from "../shared/api";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";

/** Money that an auction's contract owes the account, in the smallest unit. */
export interface FreeMoney {
  /** Of this auction: bids that others have outbid. */
  readonly ofSale: bigint;
  /** Of all sales of the contract in the auction's currency; it can pay for a bid. */
  readonly inContract: bigint;
}

const none: FreeMoney = { ofSale: 0n, inContract: 0n };

/**
 * The account's money in the contract of an auction, which it can take back or bid with.
 *
 * Unless it is about to bid, only an account that has bid before is asked about.
 */
export function useFreeMoney(sale: Sale | null, isBidding = false): FreeMoney {
  const own = useStore(session);
  const isAsked = own !== null && sale?.auction != null && (isBidding || sale.auction.ownBid != null);
  const { answer } = useCall("GET /v1/wallet", isAsked ? { query: { chain: sale.chain } } : null, ["sale", "operation"]);
  if (answer === null || sale === null) return none;
  const credit = answer.credits.find((one) => (
    one.contract.toLowerCase() === sale.contract.toLowerCase() && one.money.currency.toLowerCase() === sale.price.currency.toLowerCase()
  ));
  if (credit === undefined) return none;
  const parts = credit.sales.filter((part) => part.sale === sale.id).map((part) => BigInt(part.amount));
  return { ofSale: parts.reduce((sum, part) => sum + part, 0n), inContract: BigInt(credit.money.amount) };
}
