/** Parses a rate as Germans type it („4,2435“, „1.234,5“) or with a decimal point; undefined unless it is above 0. */
export function readRate(text: string): number | undefined {
  const bare = text.replaceAll(/\s/g, '');
  const [, whole = '', decimals = '0'] =
    /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,(\d{1,6}))?$/.exec(bare) ?? /^(\d{1,9})\.(\d{1,6})$/.exec(bare) ?? [];
  const rate = Number(`${whole.replaceAll('.', '')}.${decimals}`);
  return whole !== '' && rate > 0 ? rate : undefined;
}

/** Formats a rate as it is typed; '' if there is none. */
export const typedRate = (rate: number | undefined): string =>
  rate === undefined
    ? ''
    : rate
        .toFixed(6)
        .replace(/\.?0+$/, '')
        .replace('.', ',');

type Shown = { text: string; known: number | undefined; rate: number | undefined };

/** Returns the field's text after the stored rate changed from `known` to `rate`: text that the user typed meanwhile stays. */
export const shownRate = ({ text, known, rate }: Shown): string =>
  text === typedRate(known) || (rate !== undefined && readRate(text) === rate) ? typedRate(rate) : text;
