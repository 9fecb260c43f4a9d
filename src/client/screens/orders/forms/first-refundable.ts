type Line = { readonly productid: string };

/**
 * Returns the line that a refund most likely concerns: the first with a refundable amount left, else the first. '' without lines.
 */
export function firstRefundable(lines: readonly Line[], refundable: readonly (Line & { cents: number })[]): string {
  const left = new Map(refundable.map(({ productid, cents }) => [productid, cents]));
  return (lines.find(({ productid }) => (left.get(productid) ?? 0) > 0) ?? lines[0])?.productid ?? '';
}
