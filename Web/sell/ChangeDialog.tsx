import type { Listing, ListingContentInput } from "../shared/api";
import { launch } from "../shared/intents";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { useCall } from "../shared/useCall";

interface Props {
  readonly listing: Listing;
  readonly content: ListingContentInput;
  readonly title: string;
  readonly action: string;
  readonly onClose: () => void;
  /** Called before it begins, so that a form is forgotten. */
  readonly onAgreed?: () => void;
}

/** Shows what a change of a listing costs, brings back and deposits anew, and makes it after one consent. */
export function ChangeDialog({ listing, content, title, action, onClose, onAgreed }: Props) {
  const path = { id: listing.id };
  const preview = useCall("POST /v1/listings/{id}/preview", { path, body: content, query: {} }, ["sale"]);
  return (
    <ConsentDialog title={title} action={action} of={preview} onClose={onClose} onAgree={(query, key) => {
      onAgreed?.();
      launch("PUT /v1/listings/{id}", { path, body: content, query }, `/listings/${listing.id}`, key);
    }} />
  );
}
