import type { Cell } from './order-line.ts';
import type { DraftOrder } from './order-file.ts';

type Row = readonly string[];
type Line = DraftOrder['lines'][number];
export type ReadRow = { record: Row; line: Line };

const cost = '(?:[ -]?(?:kosten|geb(?:ü|ue)hr|pauschale|anteil))';
const service =
  '(?:dhl|dpd|gls|ups|hermes|deutsche post|post|standard|express|paket|päckchen|inland|ausland|national|international)';
/** Titles that only shipping has, whatever follows. A bag for shipping is an article, so that the bare word stands alone or before a service. */
const titles = [
  new RegExp(`^(?:versand|porto|fracht|liefer|speditions)${cost}`),
  /^(?:shipping|delivery|postage)(?: (?:&|and) (?:handling|packaging))?[ -](?:costs?|fees?|charges?)\b/,
  new RegExp(
    `^(?:(?:standard|express)[ -]?)?(?:versand|porto|fracht|shipping|delivery)(?:[ :,/(-]+(?:(?:per|mit|via|nach|innerhalb|by|to)\\b.*|${service}\\b.*))?$`,
  ),
  /^(?:dhl|dpd|gls|ups|hermes|deutsche post)[ -]+(?:paket|päckchen|express|standard|versand|national|international|shipping)$/,
];

/**
 * Returns whether a row is no article but what shipping costs, as JTL writes it: a title that says so and an amount for one
 * piece, without an article number.
 */
function isShipping({ record, line }: ReadRow, cell: Cell): boolean {
  const title = line.title.toLowerCase();
  return (
    line.sku === '' &&
    line.ordered === 1 &&
    line.unit_cents !== null &&
    line.unit_cents >= 0 &&
    cell(record, 'lineShipping') === '' &&
    titles.some((one) => one.test(title))
  );
}

const amountOf = ({ unit_cents: unit, discount_cents: discount = 0 }: Line): number => (unit ?? 0) - discount;

/**
 * Splits the rows of an order into articles and shipping cost. `cents`: undefined if no row is shipping. If a column has another
 * cost, it is unclear which one counts: then the rows stay articles, and are refused as such.
 */
export function splitShipping(rows: readonly ReadRow[], cell: Cell): { articles: readonly ReadRow[]; cents?: number } {
  const shipping = new Set(rows.filter((row) => isShipping(row, cell)));
  if (shipping.size === 0 || shipping.size === rows.length) return { articles: rows };
  const cents = [...shipping].reduce((sum, { line }) => sum + amountOf(line), 0);
  const isElsewhere = rows.some(({ line }) => line.shipping_cents !== 0 && line.shipping_cents !== cents);
  return isElsewhere ? { articles: rows } : { articles: rows.filter((row) => !shipping.has(row)), cents };
}
