const integer = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });

/** A whole number as it stands in a German sentence: 1.234.567. */
export const integerText = (value: number): string => integer.format(value);
