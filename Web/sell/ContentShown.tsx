import type { ListingContentInput } from "../shared/api";
import { Curriculum } from "../learn/Curriculum";
import { nameOfPlace } from "../shared/countries";
import { Money } from "../shared/parts/Money";
import { Picture } from "../shared/parts/Picture";
import type { Upload } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { RoundFacts } from "./RoundFacts";

interface Props {
  readonly content: ListingContentInput;
  /** Its pictures and documents. */
  readonly files: readonly Upload[];
  readonly chain: number | undefined;
}

/** A listing that is not listed yet, as others will see it. */
export function ContentShown({ content, files, chain }: Props) {
  const words = useWords();
  const documents = files.filter((one) => one.isDocument === true && content.media?.some(({ id }) => id === one.id));
  const pictures = (content.media ?? []).filter(({ id }) => documents.every((one) => one.id !== id));
  const places = content.shipsTo.map((one) => nameOfPlace(one, words.language)).join(", ");
  const within = content.shipsWithin;
  const around = within == null ? null : words.say("page.withinOf", { distance: within.metres / 1000, place: within.place });
  return (
    <>
      {pictures.length > 0 && (
        <div className="sell-pictures">
          {pictures.map((one, index) => (
            <Picture key={one.id} id={one.id} name={words.say("page.pictureNumber", { number: index + 1 })} form="wide" />
          ))}
        </div>
      )}
      <h3 className="sell-title"><bdi>{content.title}</bdi></h3>
      <p className="price">
        <Money amount={content.price.amount} currency={content.price.currency} chain={chain} rounding="whole" />
        {content.pieces != null && <span className="soft note"> · {words.say("page.pieces")} {content.pieces}</span>}
      </p>
      <p className="soft note">
        {content.type === "goods" && <>{words.named("category", content.category)} · </>}{words.alone(words.named("payment", content.payment))} ·{" "}
        {content.delivery === "online" && words.alone(words.named("delivery", "online"))}
        {content.delivery === "pickup" && <bdi>{content.pickupPlace}</bdi>}
        {content.delivery === "shipping" && (around !== null ? <bdi>{words.alone(around)}</bdi> : places === "" ? words.alone(words.say("page.everywhere")) : words.say("page.shipsTo", { place: places }))}
      </p>
      <p className="lines"><bdi>{content.description}</bdi></p>
      {documents.length > 0 && <p className="note">{words.say("page.documents")}: <bdi>{documents.map((one) => one.name).join(", ")}</bdi></p>}
      {content.course != null && <RoundFacts course={content.course} />}
      <Curriculum sessions={content.curriculum} isDeep />
    </>
  );
}
