import type { Message, Sale } from "../shared/api";
import { useCall } from "../shared/useCall";

/** The message with which a node of the seller sends the key of a file; undefined as long as there is none. */
export function useKeyMessage(sale: Sale | null): Message | undefined {
  const seller = sale?.seller.toLowerCase();
  const other = (sale?.own === "seller" ? sale.buyer : sale?.seller)?.toLowerCase();
  const found = useCall("GET /v1/conversations", sale === null ? null : { query: { limit: 100 } }, ["message"]).answer;
  const conversation = found?.items.find((one) => one.listing === sale?.listing && one.with.toLowerCase() === other);
  const messages = useCall("GET /v1/conversations/{id}/messages",
    conversation === undefined ? null : { path: { id: conversation.id }, query: { limit: 100 } }, ["message"]).answer;
  return messages?.items.filter((one) => one.kind === "work" && one.sender.toLowerCase() === seller).pop();
}
