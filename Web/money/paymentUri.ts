/** A request for money as other wallets read it: EIP-681. */
export interface PaymentRequest {
  readonly account: string;
  readonly chain: number;
  /** 'native', or the token's address. */
  readonly currency: string;
  /** In the smallest unit; without it, the payer chooses. */
  readonly amount?: string | undefined;
}

/** Writes a request, such as `ethereum:0x5aAe…@1?value=500000000000000000`; a token's is a call of its `transfer`. */
export function paymentUri({ account, chain, currency, amount }: PaymentRequest): string {
  if (currency === "native") return `ethereum:${account}@${chain}${amount === undefined ? "" : `?value=${amount}`}`;
  return `ethereum:${currency}@${chain}/transfer?address=${account}${amount === undefined ? "" : `&uint256=${amount}`}`;
}

/** Reads a request for money or a token; null for another text, another chain than those, or anything but a payment. */
export function readPaymentUri(text: string, chains: readonly number[]): PaymentRequest | null {
  const found = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@(\d{1,15}))?(\/transfer)?(?:\?(\S*))?$/i.exec(text.trim());
  if (found === null) return null;
  const [, to = "", named, transfer, rest = ""] = found;
  const chain = named === undefined ? chains[0] : Number(named);
  if (chain === undefined || !chains.includes(chain)) return null;
  const query = new URLSearchParams(rest);
  const amount = query.get(transfer === undefined ? "value" : "uint256") ?? undefined;
  if (amount !== undefined && !/^\d{1,78}$/.test(amount)) return null;
  if (transfer === undefined) return { account: to, chain, currency: "native", amount };
  const account = query.get("address") ?? "";
  return /^0x[0-9a-f]{40}$/i.test(account) ? { account, chain, currency: to, amount } : null;
}
