const format = { style: 'currency', currency: 'EUR', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const euros = new Intl.NumberFormat('de-DE', format);

/**
 * Returns money as on every screen and in every message: 123450 cents are '1.234,50 €', with a no-break space before the sign;
 * null (unknown) is a dash. A currency that is no three-letter code follows the number unchanged.
 */
export function moneyText(cents: number | null, currency = 'EUR'): string {
  if (cents === null) return '–';
  if (currency === 'EUR') return withMinus(euros.format(cents / 100));
  if (/^[a-z]{3}$/i.test(currency)) return withMinus(formatOf(currency, cents).format(cents / 100));
  return `${moneyText(cents).slice(0, -1)}${currency}`;
}

/** Currencies without hundredths are written without decimals if none are lost. */
function formatOf(currency: string, cents: number): Intl.NumberFormat {
  const decimals = isWithoutParts(currency) && cents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat('de-DE', { ...format, minimumFractionDigits: decimals, currency });
}

/** Cached results: a table of orders needs one for each amount. */
const withoutParts = new Map<string, boolean>();

/** Returns whether a currency has no hundredths, like yen; false for a text that is no three-letter code. */
export function isWithoutParts(currency: string): boolean {
  if (!/^[a-z]{3}$/i.test(currency)) return false;
  const known = withoutParts.get(currency);
  if (known !== undefined) return known;
  const usual = new Intl.NumberFormat('de-DE', { style: 'currency', currency }).resolvedOptions();
  const found = usual.maximumFractionDigits === 0;
  withoutParts.set(currency, found);
  return found;
}

/** Replaces the hyphen of Intl by the typographic minus (U+2212). */
const withMinus = (text: string): string => text.replace('-', '\u2212');
