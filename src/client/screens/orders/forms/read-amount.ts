/**
 * Parses an amount as Germans type it („12“, „12,5“, „1.234,50 €“) into cents; undefined if it is none. A single decimal point
 * counts as a comma: „12.50“ comes from tables.
 */
export function readAmount(text: string): number | undefined {
  const bare = text.replaceAll(/[\s€]/g, '');
  const [, whole = '', decimals = ''] =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(bare) ?? /^(\d+)\.(\d{1,2})$/.exec(bare) ?? [];
  const cents = Number(whole.replaceAll('.', '') + decimals.padEnd(2, '0'));
  return whole !== '' && Number.isSafeInteger(cents) ? cents : undefined;
}
