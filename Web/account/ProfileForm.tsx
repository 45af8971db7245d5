import { useState } from "react";
import type { AccountProfile } from "../shared/api";
import { call } from "../shared/call";
import { Avatar } from "../shared/parts/Avatar";
import { Button } from "../shared/parts/Button";
import { CheckField } from "../shared/parts/CheckField";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { PictureField } from "../shared/parts/PictureField";
import { TextField } from "../shared/parts/TextField";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";

/** Name, photo, region and words about oneself, as everybody sees them. */
export function ProfileForm({ known, again }: { readonly known: AccountProfile; readonly again: () => void }) {
  const words = useWords();
  const account = useStore(session)?.account.name ?? "";
  const form = useForm({ name: known.name, about: known.about, region: known.region, withoutPhoto: false }, { keep: "profile" });
  const photo = useUploads(1, "profile");
  const [state, setState] = useState<"same" | "saved" | "emptied">("same");
  const [isAsked, setAsked] = useState(false);
  const isEmpty = known.about === "" && known.region === "" && known.avatar == null;

  async function save(): Promise<void> {
    setState("same");
    const { name, about, region, withoutPhoto } = form.values;
    const faults = {
      ...(name.trim() === "" ? { name: words.say("page.nameNeeded") } : {}),
      ...(photo.isBusy ? { avatar: words.say("page.uploadsUnderWay") } : {}),
    };
    if (form.refuse(faults)) return;
    const [id] = photo.ids;
    const avatar = id ?? (withoutPhoto ? "" : undefined);
    await call("PUT /v1/profile", {
      body: { name: name.trim(), about: about.trim(), region: region.trim(), ...(avatar === undefined ? {} : { avatar }) },
    });
    form.setAll({ ...form.values, withoutPhoto: false });
    done("saved");
  }

  async function empty(): Promise<void> {
    await call("PUT /v1/profile", { body: { name: account, about: "", region: "", avatar: "" } });
    form.setAll({ name: account, about: "", region: "", withoutPhoto: false });
    done("emptied");
  }

  function done(now: "saved" | "emptied"): void {
    form.done();
    photo.all.forEach((one) => photo.remove(one.key));
    photo.done();
    setState(now);
    again();
  }

  return (
    <>
      <Form form={form} action={words.say("page.publish")} onSend={save}
        beside={!isEmpty && <Button look="bare" onClick={() => setAsked(true)}>{words.say("page.emptyProfile")}</Button>}>
        {state !== "same" && <Notice kind="good" isNews><p>{words.say(state === "saved" ? "page.profileSaved" : "page.profileEmptied")}</p></Notice>}
        <TextField form={form} name="name" label={words.say("page.publicName")} hint={words.say("page.publicNameHint")} autoComplete="nickname" />
        {known.avatar != null && photo.all.length === 0 && (
          <div className="beside">
            <Avatar picture={known.avatar} name={known.name} size="big" />
            <CheckField form={form} name="withoutPhoto">{words.say("page.withoutPhoto")}</CheckField>
          </div>
        )}
        <PictureField uploads={photo} label={words.say("page.photo")} max={1} faults={form.faults.get("avatar")} hint={words.say("page.photoHint")} />
        <TextField form={form} name="region" label={words.say("page.region")} hint={words.say("page.regionHint")} />
        <TextField form={form} name="about" label={words.say("page.aboutYou")} hint={words.say("page.aboutYouHint")} isLong />
      </Form>
      {isAsked && (
        <ConfirmDialog title={words.say("page.emptyProfile")} action={words.say("page.emptyProfile")} look="danger" onAgree={empty} onClose={() => setAsked(false)}>
          <p>{words.say("page.emptyProfileWhy", { name: account })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
