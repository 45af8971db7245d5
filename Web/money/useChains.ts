import { useCall } from "../shared/useCall";

/** The node's chains, the one that the address names or else the first, and what the account has there. */
export function useChains(query: URLSearchParams) {
  const chains = useCall("GET /v1/chains", {});
  const asked = Number(query.get("chain") ?? "");
  const followed = chains.answer ?? [];
  const chain = followed.find((one) => one.chain === asked)?.chain ?? followed[0]?.chain;
  const wallet = useCall("GET /v1/wallet", chain === undefined ? null : { query: { chain } }, ["sale", "operation"]);
  return { chains, chain, wallet };
}
