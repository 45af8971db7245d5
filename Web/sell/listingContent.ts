import type { AuctionTermsInput, CourseTermsInput, EscrowTermsInput, ListingContentInput, ShippingDistanceInput } from "../shared/api";
import { pointIn } from "../shared/places";
import {
  amountOf, canHavePieces, countOf, currencyOf, paymentOf, secondsOf, shareOf, tagsOf, timeOf, type SellValues,
} from "./listingValues";
import { givenSessions } from "./sessions";

/** The listing as the call takes it; what the person left out is left to the node. */
export function contentOf(values: SellValues, pictures: readonly string[]): ListingContentInput {
  const [currency, chain] = currencyOf(values);
  const payment = paymentOf(values);
  const pieces = canHavePieces(values) ? countOf(values.pieces) ?? 1 : 1;
  return {
    ...wordsOf(values, pictures),
    payment, price: { amount: amountOf(values, values.price) ?? "0", currency }, ...(chain !== undefined && { chain }),
    ...(values.item !== "" && { item: values.item }),
    ...(pieces > 1 && { pieces }),
    ...termsOf(values),
  };
}

/** The part of a listing that can be changed after it was listed as well. */
export function wordsOf(values: SellValues, pictures: readonly string[]): Pick<ListingContentInput,
  "type" | "title" | "description" | "category" | "identifier" | "tags" | "delivery" | "shipsTo" | "shipsWithin" | "pickupPlace" | "media" | "curriculum"
> {
  const type = values.type === "digital" || values.type === "course" ? values.type : "goods";
  return {
    type, title: values.title.trim(), description: values.description.trim(),
    category: type === "goods" ? values.category : type,
    identifier: type === "goods" ? values.identifier.trim() : type === "digital" ? values.work : "",
    tags: tagsOf(values), media: pictures.map((id) => ({ id })),
    ...(type === "course" && { curriculum: givenSessions(values.sessions) }),
    ...reachOf(values),
  };
}

/** Limits of where it is sent that only programs set. */
export interface OtherReach {
  readonly shipsTo: readonly string[];
  readonly shipsWithin?: ShippingDistanceInput;
}

export function otherReach({ otherReach: text }: SellValues): OtherReach {
  return text === "" ? { shipsTo: [] } : JSON.parse(text) as OtherReach;
}

function reachOf(values: SellValues): Pick<ListingContentInput, "delivery" | "shipsTo" | "shipsWithin" | "pickupPlace"> {
  const { type, delivery, courseAt, pickupPlace, reach, shipsTo } = values;
  const way = type === "digital" ? "online" : type === "course" ? courseAt : delivery;
  if (way === "pickup") return { delivery: "pickup", pickupPlace: pickupPlace.trim(), shipsTo: [] };
  if (way === "online") return { delivery: "online", shipsTo: [] };
  const point = reach === "around" ? pointIn(values.aroundPoint) : null;
  if (point !== null) {
    return { delivery: "shipping", shipsTo: [], shipsWithin: { metres: Number(values.aroundKm) * 1000, place: values.around, point } };
  }
  if (reach === "other") return { delivery: "shipping", ...otherReach(values) };
  return { delivery: "shipping", shipsTo: reach === "countries" && shipsTo !== "" ? shipsTo.split(",") : [] };
}

/** The end of the offer in seconds since 1970; the node's default if it is 30 days. */
function offerUntil(days: string): { readonly offerUntil?: number } {
  const seconds = secondsOf(days);
  return seconds === null || days.trim() === "30" ? {} : { offerUntil: Math.floor(Date.now() / 1000) + seconds };
}

function termsOf(values: SellValues): Pick<ListingContentInput, "terms" | "direct" | "auction" | "course"> {
  switch (paymentOf(values)) {
    case "escrow": return { terms: escrowOf(values) };
    case "direct": return { direct: offerUntil(values.days) };
    case "auction": return { auction: auctionOf(values) };
    case "enrolment": return courseOf(values);
  }
}

function auctionOf({ auctionDays, increment, extension }: SellValues): AuctionTermsInput {
  return { durationSeconds: secondsOf(auctionDays), minIncrement: shareOf(increment), extensionSeconds: secondsOf(extension, 60) };
}

/** The terms of a round; none while its times are not known, as in a draft. */
function courseOf(values: SellValues): { readonly course?: CourseTermsInput } {
  const [startsAt, endsAt] = [timeOf(values.startsAt), timeOf(values.endsAt)];
  if (startsAt === null || endsAt === null) return {};
  return {
    course: { seats: countOf(values.seats) ?? 0, startsAt, endsAt, beginSeconds: secondsOf(values.beginDays), ratingSeconds: secondsOf(values.ratingDays) },
  };
}

function time(name: "shipSeconds" | "confirmSeconds" | "rulingSeconds", days: string): EscrowTermsInput {
  const seconds = secondsOf(days);
  return seconds === null ? {} : { [name]: seconds };
}

function escrowOf(values: SellValues): EscrowTermsInput {
  const amount = (name: "sellerDeposit" | "buyerDeposit" | "latePenalty" | "arbiterFee"): EscrowTermsInput => {
    const given = amountOf(values, values[name]);
    return given === null ? {} : { [name]: given };
  };
  return {
    ...amount("sellerDeposit"), ...amount("buyerDeposit"), ...amount("latePenalty"),
    ...time("shipSeconds", values.shipDays), ...time("confirmSeconds", values.confirmDays), ...time("rulingSeconds", values.rulingDays),
    ...offerUntil(values.days),
    ...(values.arbiter.trim() !== "" && { arbiter: values.arbiter.trim(), ...amount("arbiterFee") }),
  };
}
