import { z } from 'zod';
import type { Counters } from '#marketplaces/sandbox/counters.ts';
import { between, happens, type Chance, type Faults } from '#marketplaces/sandbox/faults.ts';
import type { Place } from '#marketplaces/sandbox/offers.ts';
import type { World } from '#marketplaces/sandbox/world.ts';
import { STOCK_PATH, StockValue } from './stock-calls.ts';

export const LISTINGS_FEED = 'JSON_LISTINGS_FEED';
const MOST_MESSAGES = 25_000;

const Document = z.strictObject({
  header: z.strictObject({ sellerId: z.string(), version: z.literal('2.0'), issueLocale: z.string().optional() }),
  messages: z
    .array(z.looseObject({ messageId: z.number().int().min(1), sku: z.string().min(1) }))
    .min(1)
    .max(MOST_MESSAGES),
});
const Message = z.strictObject({
  messageId: z.number(),
  sku: z.string(),
  operationType: z.literal('PATCH'),
  productType: z.string().min(1),
  patches: z.tuple([
    z.strictObject({ op: z.enum(['replace', 'merge']), path: z.literal(STOCK_PATH), value: StockValue }),
  ]),
});

type Issue = { messageId?: number; code: string; severity: 'ERROR'; message: string; attributeName?: string };
type ListingContext = { world: World; counters: Counters; place: Place; faults: () => Faults };

/** Processes a feed of listings, of which the sandbox only knows quantities; its report is JSON. */
export function workListings(
  { world, counters, place, faults }: ListingContext,
  text: string,
  feedId: string,
  chance: Chance,
): { state: 'DONE' | 'FATAL'; report: string } {
  const parsed = Document.safeParse(jsonOf(text));
  const messages = parsed.data?.messages ?? [];
  const numbered = new Set(messages.map(({ messageId }) => messageId)).size === messages.length;
  if (parsed.data?.header.sellerId !== place.sellerId || !numbered) {
    const issue: Issue = { code: '4000001', severity: 'ERROR', message: 'The document is invalid.' };
    return { state: 'DONE', report: reportOf(place, feedId, 0, [issue]) };
  }
  const isFatal = happens(chance, faults().feedFatal);
  // An aborted feed has processed some of its messages, none or all of them.
  const until = isFatal ? between(chance, 0, messages.length) : messages.length;
  const issues: Issue[] = [];
  for (const raw of messages.slice(0, until)) {
    counters.stockUpdates++;
    const { data } = Message.safeParse(raw);
    const article = world.articles.get(raw.sku);
    const refused = (code: string, message: string): Issue => ({
      messageId: raw.messageId,
      code,
      severity: 'ERROR',
      message,
      attributeName: 'fulfillment_availability',
    });
    if (article === undefined) issues.push(refused('13013', `SKU '${raw.sku}' is not in the catalog.`));
    else if (data === undefined || happens(chance, faults().feedRefused))
      issues.push(refused('90220', "The value of 'quantity' is invalid."));
    else if (!happens(chance, faults().ignored)) article.listed = data.patches[0].value[0]?.quantity ?? article.listed;
  }
  return { state: isFatal ? 'FATAL' : 'DONE', report: reportOf(place, feedId, messages.length, issues) };
}

function reportOf({ sellerId }: Place, feedId: string, processed: number, issues: readonly Issue[]): string {
  const invalid = issues.length;
  const summary = {
    errors: invalid,
    warnings: 0,
    messagesProcessed: processed,
    messagesAccepted: Math.max(0, processed - invalid),
    messagesInvalid: Math.min(invalid, processed),
  };
  return JSON.stringify({ header: { sellerId, version: '2.0', feedId }, issues, summary });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
