import type { ChannelLine } from '#marketplaces/orders-port.ts';
import type { StoredLine } from './order-record.ts';

type Stored = readonly Pick<StoredLine, 'line_id' | 'sku' | 'ordered' | 'shipping_cents'>[];

/**
 * The lines of an order of a file as they are known here. Exports of two profiles name lines differently, by ids or by articles: each line is
 * the stored one of its article. 'other_lines': it is the stored order, but nothing says which line is which. `ofPieces`: a line is one piece, so
 * that other ids of an article are other pieces.
 */
export function asKnownLines(
  stored: Stored,
  lines: readonly ChannelLine[],
  ofPieces: boolean,
): readonly ChannelLine[] | 'other_lines' {
  const known: readonly Named[] = stored.map(({ line_id: line, sku, ordered }) => ({ line, sku, ordered }));
  const ids = new Set(known.map(({ line }) => line));
  if (lines.some(({ line }) => ids.has(line))) return withKnownShipping(stored, lines);
  // With `ofPieces` other ids of an article are other pieces, unless the stored line stands for several of them.
  const doubled = ofPieces ? known.filter(({ ordered }) => ordered > 1) : known;
  if (isByArticle(known) === isByArticle(lines)) return haveArticle(doubled, lines) ? 'other_lines' : lines;
  const found = renamed(known, lines);
  return found === undefined ? 'other_lines' : withKnownShipping(stored, found);
}

type Named = Pick<ChannelLine, 'line' | 'sku' | 'ordered'>;

/** Whether lines have no ids but their articles' numbers: 'A-1', and 'A-1 (2)' for the second one. */
const isByArticle = (lines: readonly Named[]): boolean =>
  lines.every(
    ({ line, sku }) => line === sku || (line.startsWith(`${sku} (`) && /^\(\d+\)$/.test(line.slice(sku.length + 1))),
  );

/** Returns whether both name one article: with other ids its pieces would be added to those that are stored. */
const haveArticle = (known: readonly Named[], lines: readonly Named[]): boolean => {
  const skus = new Set(known.map(({ sku }) => sku));
  return lines.some(({ sku }) => sku !== '' && skus.has(sku));
};

/** The lines with the ids that they have here; undefined where an article has another number of lines. */
function renamed(stored: readonly Named[], lines: readonly ChannelLine[]): ChannelLine[] | undefined {
  const bySku = Map.groupBy(stored, ({ sku }) => sku);
  const counts = Map.groupBy(lines, ({ sku }) => sku);
  if ([...counts].some(([sku, own]) => bySku.has(sku) && bySku.get(sku)?.length !== own.length)) return undefined;
  const taken = new Map<string, number>();
  return lines.map((line) => {
    const at = taken.get(line.sku) ?? 0;
    taken.set(line.sku, at + 1);
    return { ...line, line: bySku.get(line.sku)?.[at]?.line ?? line.line };
  });
}

/**
 * What shipping costs is the order's; on which line it is, readers choose by the rows of a file. As long as the sum is the same it stays where it
 * is, but on a line that was cancelled beside others: its money could not be given back.
 */
function withKnownShipping(stored: Stored, lines: readonly ChannelLine[]): readonly ChannelLine[] {
  const centsOf = new Map(stored.map(({ line_id, shipping_cents }) => [line_id, shipping_cents]));
  const sum = (cents: (line: ChannelLine) => number) => lines.reduce((total, line) => total + cents(line), 0);
  const here = (line: ChannelLine) => centsOf.get(line.line) ?? 0;
  const isOpen = ({ ordered, cancelled }: ChannelLine) => cancelled < ordered;
  const isStuck = lines.some(isOpen) && lines.some((line) => here(line) > 0 && !isOpen(line));
  const isAll = lines.every(({ line }) => centsOf.has(line));
  if (!isAll || isStuck || sum(here) !== sum(({ shippingCents }) => shippingCents)) return lines;
  return lines.map((line) => ({ ...line, shippingCents: here(line) }));
}
