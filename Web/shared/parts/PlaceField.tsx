import { lazy, Suspense, useId, useState, type KeyboardEvent } from "react";
import type { Place } from "../api";
import { ErrorBoundary } from "../frame/ErrorBoundary";
import { ScreenFailed } from "../frame/ScreenFailed";
import { nameOfTown, type ChosenPlace } from "../places";
import { useCall } from "../useCall";
import { useLastAnswer } from "../useLastAnswer";
import { useWords } from "../words";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Field } from "./Field";
import { Loading } from "./Loading";

/** Loaded when somebody opens it. */
const WorldMap = lazy(() => import("./WorldMap"));

interface Props {
  readonly label: string;
  readonly hint?: string;
  readonly faults?: readonly string[] | undefined;
  readonly value: ChosenPlace | null;
  readonly onChange: (place: ChosenPlace | null) => void;
  /** Takes a text that is no town too; `value` then has it. */
  readonly onText?: (text: string) => void;
  readonly name?: string;
}

/** How many towns are suggested. */
const shownMax = 8;

/** A place: a town is typed and chosen from suggestions, or a point on a map. Nobody types degrees. */
export function PlaceField({ label, hint, faults, value, onChange, onText, name }: Props) {
  const words = useWords();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [hasMap, setMap] = useState(false);
  const text = typed ?? "";
  const isAsked = text.trim() !== "";
  const asked = { query: { search: text.trim().slice(0, 100), lang: words.language, limit: shownMax } };
  const found = useCall("GET /v1/places", isAsked ? asked : null);
  const last = useLastAnswer(found).answer ?? [];
  const shown = isOpen && isAsked ? last : [];

  function choose(place: Place): void {
    put({ name: nameOfTown(place), point: place.point });
  }

  function put(place: ChosenPlace): void {
    setTyped(null);
    setOpen(false);
    setMap(false);
    onChange(place);
  }

  function press(event: KeyboardEvent): void {
    // A Korean syllable that is still being typed takes the key.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const one = shown[Math.max(chosen, 0)];
    if (step !== 0 && shown.length > 0) {
      event.preventDefault();
      setChosen((now) => (now + step + 1 + shown.length + 1) % (shown.length + 1) - 1);
    } else if (event.key === "Enter" && one !== undefined) {
      // The form is sent with the next one.
      event.preventDefault();
      choose(one);
    } else if (event.key === "Escape" && shown.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  }

  function leave(): void {
    setOpen(false);
    // A whole name means its largest town; an unfinished one is still to be chosen.
    const one = found.answer?.[0];
    if (value === null && isAsked && one?.isWhole === true) choose(one);
  }

  return (
    <div className="stack close">
      <div className="place">
        <Field label={label} {...(hint === undefined ? {} : { hint })} faults={faults}>
          {(control) => (
            <input {...control} name={name} type="text" value={typed ?? value?.name ?? ""} maxLength={200} autoComplete="off" spellCheck={false}
              role="combobox" aria-expanded={shown.length > 0} aria-controls={`${id}-list`} aria-autocomplete="list"
              {...(shown[chosen] ? { "aria-activedescendant": `${id}-${chosen}` } : {})}
              onChange={(event) => {
                setTyped(event.target.value);
                setOpen(true);
                setChosen(-1);
                if (onText === undefined) onChange(null);
                else onText(event.target.value);
              }}
              onKeyDown={press} onBlur={leave} />
          )}
        </Field>
        <ul id={`${id}-list`} className="options" role="listbox" aria-label={words.say("page.suggestions")} hidden={shown.length === 0}>
          {shown.map((one, index) => (
            // The field keeps the focus, so the pointer chooses before the field loses it.
            <li key={`${one.name} ${one.point.latitude} ${one.point.longitude}`} id={`${id}-${index}`} role="option"
              aria-selected={index === chosen}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(one);
              }}>
              <bdi>{nameOfTown(one)}</bdi>
            </li>
          ))}
        </ul>
      </div>
      {isAsked && value === null && found.answer?.length === 0 && <p className="hint" role="status">{words.say("page.noTown")}</p>}
      <p><Button look="bare" isSmall onClick={() => setMap(true)}>{words.say("page.chooseOnMap")}</Button></p>
      {hasMap && (
        <Dialog title={words.say("page.chooseOnMap")} onClose={() => setMap(false)}>
          <ErrorBoundary instead={<ScreenFailed />}>
            <Suspense fallback={<Loading />}><WorldMap first={value?.point ?? null} onChoose={put} /></Suspense>
          </ErrorBoundary>
        </Dialog>
      )}
    </div>
  );
}
