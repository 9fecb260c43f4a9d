type Line = { readonly productid: string };

/** The line that a refund most likely means: the first of which something is left; without such the first. '' without lines. */
export function firstRefundable(lines: readonly Line[], refundable: readonly (Line & { cents: number })[]): string {
  const left = new Map(refundable.map(({ productid, cents }) => [productid, cents]));
  return (lines.find(({ productid }) => (left.get(productid) ?? 0) > 0) ?? lines[0])?.productid ?? '';
}
