import type { Fulfilment, Offer } from '#marketplaces/port.ts';
import { landedOf, type ListingRow } from './article-offers.ts';
import { sellerKey } from './read-rule.ts';

/** A competitor of an offer of ours: its cheapest offer, whether one of its offers holds the box, its rank among all. */
export type Rival = { seller: string; offer: Offer; box: boolean; rank: number };

/** The rank of one of our offers among the known ones. `own` undefined: the message does not show it, so it has no rank. */
export type OfferRank = {
  own: { rank: number; box: boolean; shipping: number | null } | undefined;
  best: Rival | undefined;
  /** Every competitor and whether it holds the box. */
  rivals: { seller: string; box: boolean }[];
};

type OwnOffer = Pick<ListingRow, 'condition' | 'currency' | 'fulfilment'>;
/** Our sellers: the one whose offer it is, and all of them, since none of ours is a competitor. */
export type Ours = { seller: string | undefined; all: ReadonlySet<string> };

/** Compares by landed price, then by seller id, as competitors are sorted for a decision. */
const isBefore = (landed: number, seller: string, than: number, other: string): boolean =>
  landed < than || (landed === than && seller < other);

/** Returns the rank of one of our offers, without any rule's filters: it is what buyers see. */
export function offerRankOf(offers: readonly Offer[], sold: OwnOffer, ownSeller: Ours): OfferRank {
  const { own, rivals } = present(offers, sold, ownSeller);
  const me = ownSeller.seller ?? '';
  const mine = own === undefined ? undefined : landedOf(own);
  const list: OfferRank['rivals'] = [];
  let rank = 1;
  let best: Rival | undefined;
  let lowest = Infinity;
  for (const [seller, { offer, box, landed }] of rivals) {
    list.push({ seller, box });
    if (mine !== undefined && isBefore(landed, seller, mine, me)) rank++;
    if (best !== undefined && !isBefore(landed, seller, lowest, best.seller)) continue;
    best = { seller, offer, box, rank: mine !== undefined && isBefore(mine, me, landed, seller) ? 2 : 1 };
    lowest = landed;
  }
  return { own: own && { rank, box: own.is_buybox, shipping: own.shipping_cents }, best, rivals: list };
}

/** Returns one competitor and its rank; undefined if it offers nothing here. */
export function rivalOf(offers: readonly Offer[], sold: OwnOffer, ownSeller: Ours, seller: string): Rival | undefined {
  const { own, rivals } = present(offers, sold, ownSeller);
  const found = rivals.get(seller);
  if (found === undefined) return undefined;
  const { offer, box, landed } = found;
  let rank = own !== undefined && isBefore(landedOf(own), ownSeller.seller ?? '', landed, seller) ? 2 : 1;
  for (const [id, other] of rivals) if (isBefore(other.landed, id, landed, seller)) rank++;
  return { seller, offer, box, rank };
}

function present(offers: readonly Offer[], { condition, currency, fulfilment }: OwnOffer, ownSeller: Ours) {
  const rivals = new Map<string, { offer: Offer; landed: number; box: boolean }>();
  let own: Offer | undefined;
  for (const offer of offers) {
    if (offer.condition !== condition || offer.currency !== currency || offer.listing_price_cents <= 0) continue;
    const seller = sellerKey(offer.seller_id);
    if (seller === ownSeller.seller) own = better(own, offer, fulfilment);
    if (ownSeller.all.has(seller)) continue;
    const landed = landedOf(offer);
    const known = rivals.get(seller);
    if (known === undefined) rivals.set(seller, { offer, landed, box: offer.is_buybox });
    else {
      known.box ||= offer.is_buybox;
      if (landed < known.landed) Object.assign(known, { offer, landed });
    }
  }
  return { own, rivals };
}

/** Returns the better of two own offers: the one with the same fulfilment, else the cheaper. */
function better(one: Offer | undefined, other: Offer, fulfilment: Fulfilment): Offer {
  if (one === undefined) return other;
  if ((one.fulfilment === fulfilment) !== (other.fulfilment === fulfilment))
    return one.fulfilment === fulfilment ? one : other;
  return landedOf(other) < landedOf(one) ? other : one;
}

/** Separator of the entries of `listings.rivals`. */
export const RIVAL_MARK = '\u001F';
export const rivalEntry = (seller: string, box: boolean): string =>
  (box ? '1' : '0') + seller.replaceAll(RIVAL_MARK, '');
export const rivalsText = (rivals: OfferRank['rivals']): string =>
  rivals.map(({ seller, box }) => rivalEntry(seller, box)).join(RIVAL_MARK);
