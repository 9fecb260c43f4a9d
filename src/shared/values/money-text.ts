const format = { style: 'currency', currency: 'EUR', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const euros = new Intl.NumberFormat('de-DE', format);

/**
 * Money as it stands on every screen and in every message: 123450 cents are '1.234,50 €', with a no-break space before the sign;
 * null, which is not known, is a dash. A currency that is no code of three letters stands behind the number as it is.
 */
export function moneyText(cents: number | null, currency = 'EUR'): string {
  if (cents === null) return '–';
  if (currency === 'EUR') return withMinus(euros.format(cents / 100));
  if (/^[a-z]{3}$/i.test(currency)) return withMinus(formatOf(currency, cents).format(cents / 100));
  return `${moneyText(cents).slice(0, -1)}${currency}`;
}

/** They are written without decimals where there is nothing to lose. */
function formatOf(currency: string, cents: number): Intl.NumberFormat {
  const decimals = isWithoutParts(currency) && cents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat('de-DE', { ...format, minimumFractionDigits: decimals, currency });
}

/** What was asked before: a table of orders asks for each amount. */
const withoutParts = new Map<string, boolean>();

/** Yen and the like, of which there are no hundredths; false for what is no code of three letters. */
export function isWithoutParts(currency: string): boolean {
  if (!/^[a-z]{3}$/i.test(currency)) return false;
  const known = withoutParts.get(currency);
  if (known !== undefined) return known;
  const usual = new Intl.NumberFormat('de-DE', { style: 'currency', currency }).resolvedOptions();
  const found = usual.maximumFractionDigits === 0;
  withoutParts.set(currency, found);
  return found;
}

/** The typographic minus (U+2212); Intl writes a hyphen. */
const withMinus = (text: string): string => text.replace('-', '\u2212');
