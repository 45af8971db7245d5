import type { DraftContent, ListingContent } from "../shared/api";
import { unitOf } from "../shared/currencies";
import { exact } from "../shared/money";
import { distances, pointText } from "../shared/places";
import type { Upload } from "../shared/useUploads";
import { emptyValues, type SellValues } from "./listingValues";

/** The values and pictures that a form begins with. */
export interface Start {
  readonly values: SellValues;
  readonly pictures: readonly Upload[];
}

type Content = DraftContent | ListingContent;

/** The values of a listing or a draft, as somebody would have typed them; times that have passed are left out. */
export function startOf(content: Content, chains: readonly number[]): Start {
  const chain = content.chain ?? chains[0];
  const { currency } = content.price;
  const decimals = unitOf(currency, chain ?? undefined)?.decimals ?? 0;
  const amount = (of: string | null | undefined): string => (of == null || of === "0" ? "" : exact(of, decimals));
  const { terms, auction, course, direct } = content;
  const values: SellValues = {
    ...emptyValues,
    item: content.item ?? "", type: content.type, work: content.type === "digital" ? content.identifier : "",
    title: content.title, description: content.description,
    category: content.type === "goods" ? content.category : "", identifier: content.type === "goods" ? content.identifier : "",
    tags: content.tags.some((tag) => /\s/.test(tag)) ? `${content.tags.join(", ")},` : content.tags.join(" "),
    sessions: JSON.stringify(content.curriculum ?? []),
    payment: content.payment === "enrolment" ? "escrow" : content.payment,
    currency: `${currency} ${chain ?? ""}`.trim(), price: amount(content.price.amount), pieces: String(content.pieces ?? 1),
    days: daysUntil(terms?.offerUntil ?? direct?.offerUntil) ?? emptyValues.days,
    auctionDays: count(auction?.durationSeconds, 86_400) ?? emptyValues.auctionDays,
    increment: auction?.minIncrement == null ? emptyValues.increment : String(auction.minIncrement / 100),
    extension: count(auction?.extensionSeconds, 60) ?? emptyValues.extension,
    ...reachOf(content),
    sellerDeposit: amount(terms?.sellerDeposit), buyerDeposit: amount(terms?.buyerDeposit), latePenalty: amount(terms?.latePenalty),
    shipDays: count(terms?.shipSeconds, 86_400) ?? emptyValues.shipDays, confirmDays: count(terms?.confirmSeconds, 86_400) ?? emptyValues.confirmDays,
    rulingDays: count(terms?.rulingSeconds, 86_400) ?? emptyValues.rulingDays,
    arbiter: terms?.arbiter ?? "", arbiterFee: amount(terms?.arbiterFee),
    seats: course == null || course.seats === 0 ? "" : String(course.seats), startsAt: typedTime(course?.startsAt), endsAt: typedTime(course?.endsAt),
    beginDays: count(course?.beginSeconds, 86_400) ?? emptyValues.beginDays, ratingDays: count(course?.ratingSeconds, 86_400) ?? emptyValues.ratingDays,
  };
  const pictures = (content.media ?? []).map(({ id, type }, index): Upload => (
    { key: id, id, name: String(index + 1), part: 1, isDocument: type === "application/pdf" }
  ));
  return { values, pictures };
}

/** The values of a new listing like another one: what belongs to one thing alone, and times, are left out. */
export function copyOf(content: Content, chains: readonly number[]): Start {
  const { values, pictures } = startOf(content, chains);
  return { pictures, values: { ...values, item: "", identifier: "", days: emptyValues.days, startsAt: "", endsAt: "" } };
}

function reachOf(content: Content): Partial<SellValues> {
  const { delivery, shipsTo, shipsWithin } = content;
  if (delivery === "shipping" && shipsWithin != null && distances.some((one) => one * 1000 === shipsWithin.metres)) {
    return {
      delivery, reach: "around", around: shipsWithin.place, aroundPoint: pointText(shipsWithin.point), aroundKm: String(shipsWithin.metres / 1000),
    };
  }
  const isOther = shipsWithin != null || shipsTo.some((place) => !/^[A-Z]{2}$/.test(place));
  return {
    delivery: delivery === "pickup" ? "pickup" : "shipping", courseAt: delivery === "pickup" ? "pickup" : "online",
    pickupPlace: content.pickupPlace ?? "",
    reach: isOther ? "other" : shipsTo.length > 0 ? "countries" : "everywhere", shipsTo: isOther ? "" : shipsTo.join(","),
    otherReach: isOther ? JSON.stringify({ shipsTo, ...(shipsWithin != null && { shipsWithin }) }) : "",
  };
}

function count(seconds: number | null | undefined, unit: number): string | undefined {
  return seconds == null ? undefined : String(Math.round(seconds / unit));
}

function daysUntil(until: number | null | undefined): string | undefined {
  const left = until == null ? 0 : Math.round((until - Date.now() / 1000) / 86_400);
  return left > 0 ? String(left) : undefined;
}

/** A time as a field for day and time has it; empty if it has passed. */
function typedTime(seconds: number | null | undefined): string {
  if (seconds == null || seconds * 1000 < Date.now()) return "";
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
