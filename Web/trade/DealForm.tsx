import type { ReactNode } from "react";
import type { Listing } from "../shared/api";
import { FeeField } from "../shared/parts/FeeField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { OneSourceField } from "../shared/parts/OneSourceField";
import { PreviewCosts } from "../shared/parts/PreviewCosts";
import type { FormState, Values } from "../shared/useForm";
import type { FormPreview } from "../shared/usePreview";
import { useWords } from "../shared/words";
import { PromiseField } from "./PromiseField";

/** The values that a purchase and a bid have. */
export type DealValues = {
  readonly shipTo: string;
  readonly feeSpeed: string;
  readonly acceptsChanges: boolean;
  readonly acceptsOneSource: boolean;
};

/** Consents to something that can be another by then: they are never kept. */
export const consents = ["acceptsChanges", "acceptsOneSource"] as const;

interface Props<V extends Values> {
  readonly form: FormState<V>;
  readonly listing: Listing;
  readonly of: FormPreview;
  /** The words of the button. */
  readonly action: string;
  readonly onSend: () => Promise<void>;
  /** How what the sale promises is taken, above the fee. */
  readonly children: ReactNode;
  /** The sentence on what the button binds to. */
  readonly note: string;
}

/** The form of a purchase or a bid, beside all that money does in it. */
export function DealForm<V extends Values & DealValues>({ form, listing, of, action, onSend, children, note }: Props<V>) {
  const words = useWords();
  const { type, delivery, pickupPlace } = listing.content;
  return (
    <div className="deal">
      <PreviewCosts of={of} />
      <Form form={form} action={action} onSend={onSend} isWaiting={of.isWaiting}
        beside={<Link to={`/listings/${listing.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
        {children}
        {delivery === "pickup" && pickupPlace != null && (
          <p>{words.say(type === "course" ? "page.courseAt" : "page.youCollectAt")} <bdi className="strong">{pickupPlace}</bdi></p>
        )}
        <FeeField form={form} name="feeSpeed" />
        <PromiseField form={form} preview={of.answer} />
        <OneSourceField form={form} isNeeded={of.answer?.restsOnOneSource === true} />
        <p className="soft note">{note}</p>
      </Form>
    </div>
  );
}
