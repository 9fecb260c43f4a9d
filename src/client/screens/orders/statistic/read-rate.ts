/** A rate as Germans type it („4,2435“, „1.234,5“) or with a decimal point; undefined where it is none above 0. */
export function readRate(text: string): number | undefined {
  const bare = text.replaceAll(/\s/g, '');
  const [, whole = '', decimals = '0'] =
    /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,(\d{1,6}))?$/.exec(bare) ?? /^(\d{1,9})\.(\d{1,6})$/.exec(bare) ?? [];
  const rate = Number(`${whole.replaceAll('.', '')}.${decimals}`);
  return whole !== '' && rate > 0 ? rate : undefined;
}
