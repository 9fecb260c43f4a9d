import { z } from 'zod';
import { refused, type Answer, type Behind, type SandboxRequest } from '#marketplaces/sandbox/exchange.ts';
import { happens } from '#marketplaces/sandbox/faults.ts';
import { orderWire } from './order-wire.ts';
import type { SandboxOrder } from './order.ts';

const datasets = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'EXPENSE',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'PAYMENT',
  'FULFILLMENT_ORDERS',
] as const;
const words = z.string().transform((text) => text.split(','));
const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Included = words.pipe(z.array(z.enum(datasets))).optional();

const Search = z
  .strictObject({
    createdAfter: moment.optional(),
    lastUpdatedAfter: moment.optional(),
    lastUpdatedBefore: moment.optional(),
    marketplaceIds: words.optional(),
    maxResultsPerPage: z.coerce.number().int().min(1).max(100).default(100),
    paginationToken: z.string().optional(),
    includedData: Included,
  })
  .refine((filters) => (filters.createdAfter === undefined) !== (filters.lastUpdatedAfter === undefined));

/** A page token: where the page ended, and the query it belongs to. */
const Token = z.object({
  question: z.string(),
  before: z.number(),
  after: z.tuple([z.number(), z.string()]),
  until: z.number(),
});

const DISTANCE_MS = 2 * 60_000;
const DAY_MS = 24 * 3_600_000;
const invalid = (message: string) => refused(400, 'InvalidInput', message);

/** Answers searchOrders: orders changed (or created) within a span, oldest first, one page at a time. */
export function searchOrders(behind: Behind, { url }: SandboxRequest): Answer {
  const { book, place, chance, faults } = behind;
  const now = behind.now();
  const parsed = Search.safeParse(Object.fromEntries(url.searchParams));
  if (!parsed.success) return invalid('One or more request parameters are missing or invalid.');
  const filters = parsed.data;
  const { paginationToken, ...question } = Object.fromEntries(url.searchParams);
  const token = paginationToken === undefined ? undefined : tokenOf(paginationToken, JSON.stringify(question), now);
  if (token === null) return invalid('The pagination token is invalid or expired.');
  const before = token?.before ?? filters.lastUpdatedBefore ?? now - DISTANCE_MS;
  if (before > now - DISTANCE_MS) return invalid('lastUpdatedBefore must be at least two minutes before now.');
  if ((filters.lastUpdatedAfter ?? 0) > before) return invalid('lastUpdatedAfter must not be after lastUpdatedBefore.');
  const key = ({ changedAt, at }: SandboxOrder) => (filters.lastUpdatedAfter === undefined ? at : changedAt);
  const from = filters.lastUpdatedAfter ?? filters.createdAfter ?? 0;
  const here = filters.marketplaceIds?.includes(place.marketplace) ?? true;
  const found = [...book.orders.values()]
    .filter((order) => here && key(order) >= from && key(order) <= before)
    .toSorted((one, other) => key(one) - key(other) || (one.id < other.id ? -1 : 1))
    .filter((order) => token === undefined || comesAfter([key(order), order.id], token.after));
  const page = found.slice(0, filters.maxResultsPerPage);
  const last = page.at(happens(chance, faults().pagesOverlap) && page.length > 1 ? -2 : -1);
  const next = found.length > page.length && last !== undefined;
  return {
    status: 200,
    body: {
      orders: page.map((order) => orderWire(order, place, new Set(filters.includedData), now)),
      ...(next
        ? {
            pagination: {
              nextToken: tokenText({
                question: JSON.stringify(question),
                before,
                after: [key(last), last.id],
                until: now + DAY_MS,
              }),
            },
          }
        : {}),
      lastUpdatedBefore: new Date(before).toISOString(),
    },
  };
}

const comesAfter = ([at, id]: readonly [number, string], [lastAt, lastId]: readonly [number, string]): boolean =>
  at > lastAt || (at === lastAt && id > lastId);

const tokenText = (token: z.infer<typeof Token>): string => Buffer.from(JSON.stringify(token)).toString('base64');

/** Null: it is no token, has expired, or belongs to another query. */
function tokenOf(text: string, question: string, now: number): z.infer<typeof Token> | null {
  try {
    const token = Token.parse(JSON.parse(Buffer.from(text, 'base64').toString('utf8')));
    return token.question === question && now < token.until ? token : null;
  } catch {
    return null;
  }
}

const orderPath = /^\/orders\/2026-01-01\/orders\/([^/]+)$/u;

/** Answers getOrder: one order with the requested datasets. */
export function getOrder(behind: Behind, { url }: SandboxRequest): Answer {
  const id = decodeURIComponent(orderPath.exec(url.pathname)?.[1] ?? '');
  const order = behind.book.orders.get(id);
  const included = Included.safeParse(url.searchParams.get('includedData') ?? undefined);
  if (!included.success) return invalid('One or more values of includedData are invalid.');
  if (order === undefined) return refused(404, 'NotFound', `Order ${id} was not found.`);
  return { status: 200, body: { order: orderWire(order, behind.place, new Set(included.data), behind.now()) } };
}
