import { useState } from "react";
import type { Money } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Icon } from "../shared/parts/Icon";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useAll } from "../shared/useAll";
import { useWords } from "../shared/words";
import { forgetPrice, keepPrice } from "./savedPrices";

interface Props {
  readonly listing: string;
  /** Its price now, to tell later whether it has changed. */
  readonly price: Money;
}

/** Keeps a listing among the favourites, or gives it up; the heart changes at once. */
export function FavouriteButton({ listing, price }: Props) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const saved = useAll("GET /v1/favourites", hasAccount ? {} : null);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const isSaved = wanted ?? saved.answer?.some((one) => one.listing === listing) ?? false;
  if (!hasAccount) return null;

  async function toggle(): Promise<void> {
    setWanted(!isSaved);
    setError(null);
    try {
      await call(isSaved ? "DELETE /v1/favourites/{id}" : "PUT /v1/favourites/{id}", { path: { id: listing } });
      if (isSaved) forgetPrice(listing);
      else keepPrice(listing, price);
      saved.again();
    } catch (fault) {
      setWanted(null);
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  return (
    <>
      <Button isSmall aria-pressed={isSaved} onClick={() => void toggle()}>
        <Icon name="heart" isFilled={isSaved} />{words.say(isSaved ? "page.isFavourite" : "page.addFavourite")}
      </Button>
      {error !== null && <Fault error={error} />}
    </>
  );
}
