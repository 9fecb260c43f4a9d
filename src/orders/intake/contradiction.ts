import type { NewOrder } from '#shared/orders/intake.ts';

const DAY = 24 * 60 * 60_000;
/** How far a sender's clock may be ahead of ours; a day without a time may also be of another time zone. */
const AHEAD_MS = DAY;
/** Articles are ordered in advance, but hardly longer. */
const SHIP_WITHIN_MS = 3 * 366 * DAY;

const dayText = (text: string): string =>
  new Date(text).toLocaleDateString('de-DE', {
    timeZone: 'Europe/Berlin',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  });

/** Returns what contradicts itself in an order, or what cannot be, for people; undefined if nothing does. */
export function contradiction(order: NewOrder, now: Date): string | undefined {
  const { lines } = order;
  if (new Set(lines.map(({ productid }) => productid)).size < lines.length)
    return 'Zwei Positionen haben dieselbe Kennung.';
  const wrong = lines.find(({ ordered, shipped, cancelled }) => shipped + cancelled > ordered);
  if (wrong !== undefined)
    return `Position ${wrong.productid}: versandt und storniert sind zusammen mehr als bestellt.`;
  return unlikelyDay(order, now);
}

/**
 * Returns which date of an order is too far in the future. It would be missing in every statistic, or never due; and after a
 * change in the future no later state of the order would be taken.
 */
function unlikelyDay({ placed_at, changed_at, ship_by, deliver_by }: NewOrder, now: Date): string | undefined {
  const isAfter = (text: string | undefined, ms: number): text is string =>
    text !== undefined && Date.parse(text) > now.getTime() + ms;
  for (const [label, text] of [
    ['Bestelldatum', placed_at],
    ['Änderungsdatum', changed_at],
  ] as const)
    if (isAfter(text, AHEAD_MS))
      return `${label}: Der ${dayText(text)} liegt in der Zukunft. Die Bestellung wurde nicht übernommen; bitte berichtigen Sie das Datum.`;
  for (const [label, text] of [
    ['Versand bis', ship_by],
    ['Lieferung bis', deliver_by],
  ] as const)
    if (isAfter(text, SHIP_WITHIN_MS))
      return `${label}: Der ${dayText(text)} liegt mehr als drei Jahre in der Zukunft. Die Bestellung wurde nicht übernommen; bitte berichtigen Sie das Datum oder lassen Sie es weg.`;
  return undefined;
}
