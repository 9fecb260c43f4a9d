import { z } from 'zod';
import { Arithmetic, type Competitor, removalCodes } from '#shared/repricer/decision.ts';

/**
 * The inputs of a decision as its row stores them. Hundreds are written per second and kept for years: lists instead of named
 * members take a third of the space, which determines the cost. Competitors: seller, listing price, shipping, holds the box;
 * removed offers: seller, landed price, reason. A target that is a competitor is stored as its index.
 */
const cents = z.number().int();
const StoredOffer = z.tuple([z.string(), cents, cents, z.union([z.literal(0), z.literal(1)])]);
const Target = z.union([z.null(), z.number().int(), StoredOffer]);
const Numbers = Arithmetic.omit({ target: true, first_target: true, competitors: true, removed: true });
const Body = z.object({
  ruleName: z.string(),
  sum: Numbers,
  target: Target,
  first: Target,
  competitors: z.array(StoredOffer),
  removed: z.array(z.tuple([z.string(), cents, z.enum(removalCodes)])),
});
/** The format of the first version; its rows are never changed. */
const LongBody = z.object({ ruleName: z.string(), arithmetic: Arithmetic });

type StoredOffer = z.infer<typeof StoredOffer>;

const keep = ({ seller_id, listing_cents, shipping_cents, is_buybox }: Competitor): StoredOffer => [
  seller_id,
  listing_cents,
  shipping_cents,
  is_buybox ? 1 : 0,
];
const unkeep = ([seller_id, listing_cents, shipping_cents, box]: StoredOffer): Competitor => ({
  seller_id,
  listing_cents,
  shipping_cents,
  landed_cents: listing_cents + shipping_cents,
  is_buybox: box === 1,
});

export function bodyOf(ruleName: string, arithmetic: Arithmetic): string {
  const { target, first_target, competitors, removed, ...sum } = arithmetic;
  const placeOf = (one: Competitor | null) => {
    if (one === null) return null;
    const index = competitors.indexOf(one);
    return index < 0 ? keep(one) : index;
  };
  return JSON.stringify({
    ruleName,
    sum,
    target: placeOf(target),
    first: placeOf(first_target),
    competitors: competitors.map(keep),
    removed: removed.map(({ seller_id, landed_cents, reason }) => [seller_id, landed_cents, reason]),
  } satisfies z.input<typeof Body>);
}

/** Parses a stored body. @throws if it is invalid, which no row of ours can be */
export function readBody(text: string): { ruleName: string; arithmetic: Arithmetic } {
  const raw: unknown = JSON.parse(text);
  const long = LongBody.safeParse(raw);
  if (long.success) return long.data;
  const { ruleName, sum, target, first, ...lists } = Body.parse(raw);
  const competitors = lists.competitors.map(unkeep);
  const named = (one: z.infer<typeof Target>) => {
    if (one === null) return null;
    return typeof one === 'number' ? (competitors[one] ?? null) : unkeep(one);
  };
  const removed = lists.removed.map(([seller_id, landed_cents, reason]) => ({ seller_id, landed_cents, reason }));
  return {
    ruleName,
    arithmetic: { ...sum, target: named(target), first_target: named(first), competitors, removed },
  };
}
