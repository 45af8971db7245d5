import type { Message, Sale } from "../shared/api";
import { useAll } from "../shared/useAll";

/** The message with which a node of the seller sends the key of a file; undefined as long as there is none. */
export function useKeyMessage(sale: Sale | null): Message | undefined {
  const seller = sale?.seller.toLowerCase();
  const other = (sale?.own === "seller" ? sale.buyer : sale?.seller)?.toLowerCase();
  const found = useAll("GET /v1/conversations", sale === null ? null : {}, ["message"]).answer;
  const conversation = found?.find((one) => one.listing === sale?.listing && one.with.toLowerCase() === other);
  const messages = useAll("GET /v1/conversations/{id}/messages", conversation === undefined ? null : { path: { id: conversation.id } }, ["message"]).answer;
  return messages?.filter((one) => one.kind === "work" && one.sender.toLowerCase() === seller).pop();
}
