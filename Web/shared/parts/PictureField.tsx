import { useId, useRef, useState } from "react";
import type { Upload, Uploads } from "../useUploads";
import { useWords } from "../words";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { Picture } from "./Picture";

interface Props {
  readonly uploads: Uploads;
  readonly label: string;
  readonly max: number;
  readonly hint?: string;
  readonly faults?: readonly string[] | undefined;
  /** Whether one of them stands for all, as in lists. */
  readonly hasFirst?: boolean;
  /** Whether documents can go with them. */
  readonly hasDocuments?: boolean;
}

/** Pictures: chosen, or dropped here; each has its own bar and its own fault. */
export function PictureField({ uploads, label, max, hint, faults = [], hasFirst = false, hasDocuments = false }: Props) {
  const words = useWords();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  // That one is on its way is no fault any longer once it is there.
  const shown = faults.filter((fault) => uploads.isBusy || fault !== words.say("page.uploadsUnderWay"));
  const isFull = uploads.all.length >= max;
  return (
    <fieldset className="field pictures" aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
      <legend className="strong note">{label}</legend>
      <div className={`picture-drop${isOver ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          uploads.add(event.dataTransfer.files);
        }}>
        <ul className="picture-list">
          {uploads.all.map((one, index) => (
            <PictureEntry key={one.key} upload={one} uploads={uploads} number={index + 1} hasFirst={hasFirst} />
          ))}
        </ul>
        <input ref={input} id={id} type="file" hidden multiple accept={`image/jpeg,image/png,image/webp${hasDocuments ? ",application/pdf" : ""}`} aria-label={label}
          onChange={(event) => {
            uploads.add(event.target.files ?? []);
            event.target.value = "";
          }} />
        <Button isSmall disabled={isFull} onClick={() => input.current?.click()}><Icon name="picture" />{words.say(hasDocuments ? "page.addFiles" : "page.addPictures")}</Button>
        <span className="soft small">{words.say("page.picturesOf", { count: uploads.all.length, max })}</span>
      </div>
      <div role="status">
        {uploads.leftOut > 0 && <p className="fault">{words.say("page.picturesLeftOut", { count: uploads.leftOut, max })}</p>}
      </div>
      {shown.map((fault) => <p key={fault} className="fault" data-faults tabIndex={-1}>{fault}</p>)}
      {hint !== undefined && <p id={`${id}-hint`} className="hint">{hint}</p>}
    </fieldset>
  );
}

interface EntryProps {
  readonly upload: Upload;
  readonly uploads: Uploads;
  readonly number: number;
  readonly hasFirst: boolean;
}

/** One of the pictures. */
function PictureEntry({ upload, uploads, number, hasFirst }: EntryProps) {
  const words = useWords();
  const { key, id, name, part, error, isDocument = false } = upload;
  const label = words.say(isDocument ? "page.document" : "page.pictureNumber", { number });
  return (
    <li className="picture-entry">
      {isDocument ? <span className="picture tiny"><Icon name="file" /></span> : <Picture id={id ?? null} name={label} size={160} form="tiny" />}
      <div className="stack close">
        <span className="note one-line">
          <bdi>{name}</bdi>
          {hasFirst && number === 1 && id !== undefined && !isDocument && <span className="soft"> · {words.say("page.firstPicture")}</span>}
        </span>
        {id === undefined && error === undefined && (
          <progress className="progress" value={part} max={1} aria-label={words.say("page.uploadOf", { name })} />
        )}
        {error !== undefined && (
          <p className="fault note" role="alert">
            {error === null ? words.say("page.fileTooLarge") : words.failure(error)}
          </p>
        )}
      </div>
      <div className="beside picture-acts">
        {error != null && (
          <Button isSmall onClick={() => uploads.again(key)}>{words.say("page.tryAgain")}<span className="unseen"> {label}</span></Button>
        )}
        {hasFirst && number > 1 && id !== undefined && !isDocument && (
          <Button isSmall look="bare" onClick={() => uploads.toFront(key)}>
            {words.say("page.makeFirst")}<span className="unseen"> {label}</span>
          </Button>
        )}
        <Button look="bare" className="round" aria-label={`${words.say("page.remove")} ${label}`} onClick={() => uploads.remove(key)}>
          <Icon name="close" />
        </Button>
      </div>
    </li>
  );
}
