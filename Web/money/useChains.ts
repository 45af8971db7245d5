import { useCall } from "../shared/useCall";
import { useRepeated } from "../shared/useRepeated";

/** How often a wallet is read again, in seconds: the node tells of no money that others send. */
const walletEvery = 10;

/** The node's chains, the one that the address names or else the first, and what the account has there. */
export function useChains(query: URLSearchParams) {
  const chains = useCall("GET /v1/chains", {});
  const asked = Number(query.get("chain") ?? "");
  const followed = chains.answer ?? [];
  const chain = followed.find((one) => one.chain === asked)?.chain ?? followed[0]?.chain;
  const wallet = useCall("GET /v1/wallet", chain === undefined ? null : { query: { chain } }, ["sale", "operation"]);
  useRepeated(chain === undefined ? 0 : walletEvery, wallet.again);
  return { chains, chain, wallet };
}
