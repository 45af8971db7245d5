import { useId, useRef, useState, type KeyboardEvent } from "react";
import { go, usePlace } from "../router";
import { useCall } from "../useCall";
import { useWords } from "../words";
import { Icon } from "./Icon";

/** The field that searches the market; it completes what is typed with words from titles. */
export function SearchBox() {
  const words = useWords();
  const { path, query, visit } = usePlace();
  const asked = path === "/search" ? query.get("search") ?? "" : "";
  // A new place shows its own text: words that were typed before belong to the old one.
  return <SearchField key={`${asked} ${path === "/search" ? visit : ""}`} first={asked} label={words.say("page.searchMarket")} />;
}

function SearchField({ first, label }: { readonly first: string; readonly label: string }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(first);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const wanted = isOpen && text.trim().length > 1 ? { query: { search: text.trim().slice(0, 64) } } : null;
  const found = useCall("GET /v1/listings/suggestions", wanted).answer ?? [];
  const shown = isOpen ? found.slice(0, 8) : [];

  function search(what: string): void {
    setText(what);
    setOpen(false);
    field.current?.blur();
    go(what.trim() === "" ? "/search" : `/search?${new URLSearchParams({ search: what.trim() })}`);
  }

  function press(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && shown.length > 0) {
      event.preventDefault();
      setChosen((now) => (now + step + 1 + shown.length + 1) % (shown.length + 1) - 1);
    } else if (event.key === "Escape") {
      setOpen(false);
      setChosen(-1);
    }
  }

  return (
    <form className="search" role="search" onSubmit={(event) => {
      event.preventDefault();
      search(shown[chosen]?.text ?? text);
    }}>
      <Icon name="search" />
      <input ref={field} className="control" type="search" name="search" value={text} maxLength={400} aria-label={label} placeholder={label}
        role="combobox" aria-expanded={shown.length > 0} aria-controls={`${id}-list`} aria-autocomplete="list" autoComplete="off"
        enterKeyHint="search" {...(shown[chosen] ? { "aria-activedescendant": `${id}-${chosen}` } : {})}
        onChange={(event) => {
          setText(event.target.value);
          setOpen(true);
          setChosen(-1);
        }}
        onKeyDown={press} onBlur={() => setOpen(false)} />
      <ul id={`${id}-list`} className="options" role="listbox" aria-label={label} hidden={shown.length === 0}>
        {shown.map((one, index) => (
          // The field keeps the focus, so the pointer chooses before the field loses it.
          <li key={one.text} id={`${id}-${index}`} role="option" aria-selected={index === chosen}
            onPointerDown={(event) => {
              event.preventDefault();
              search(one.text);
            }}>
            <bdi>{one.text}</bdi> <span className="soft numbers">{one.listings}</span>
          </li>
        ))}
      </ul>
    </form>
  );
}
