import { PictureField } from "../shared/parts/PictureField";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import type { Uploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";
import { TagFields } from "./TagFields";

/** How many pictures a listing of a type has. */
export function picturesMax(type: string): number {
  return type === "digital" ? 1 : 6;
}

interface Props {
  readonly form: FormState<SellValues>;
  readonly uploads: Uploads;
  readonly categories: readonly string[];
  /** Whether it is listed for the first time: its identifier, and words that bids are given for, stay afterwards. */
  readonly isNew: boolean;
}

/** The pictures and words of a listing. */
export function WordFields({ form, uploads, categories, isNew }: Props) {
  const words = useWords();
  const { type, payment, item } = form.values;
  form.has("media");
  const max = picturesMax(type);
  // Pictures beyond those of this type come back when the type is changed back.
  const shown: Uploads = { ...uploads, all: uploads.all.slice(0, max), ids: uploads.ids.slice(0, max) };
  const staysAsListed = type === "digital" || (type === "goods" && payment === "auction");
  return (
    <>
      <PictureField uploads={shown} label={words.say(type === "digital" ? "page.previewPicture" : "page.pictures")} max={max}
        hint={`${words.say("page.picturesHint")}${max > 1 ? ` ${words.say("page.documentsHint")}` : ""}`} hasFirst={max > 1} hasDocuments={max > 1} faults={form.faults.get("media")} />
      {(isNew || !staysAsListed) && (
        <>
          <TextField form={form} name="title" label={words.say("page.titleOfListing")} autoComplete="off"
            hint={isNew && staysAsListed ? words.say("page.titleStays") : undefined} />
          <TextField form={form} name="description" label={words.say("page.description")} isLong hint={words.say("page.descriptionHint")} />
        </>
      )}
      {type === "goods" && (
        <SelectField form={form} name="category" label={words.say("page.category")}
          options={[["", words.say("page.chooseCategory")], ...categories.filter((one) => one !== "course" && one !== "digital")
            .map((one) => [one, words.named("category", one)] as const)]} />
      )}
      {type === "goods" && isNew && item === "" && (
        <TextField form={form} name="identifier" label={words.say("page.identifier")} hint={words.say("page.sellIdentifierHint")} autoComplete="off" />
      )}
      <TagFields form={form} isNew={isNew} />
    </>
  );
}
