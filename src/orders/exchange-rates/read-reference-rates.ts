import { readXml, type XmlNode } from '#platform/text/xml-tree.ts';
import { unprocessable } from '#platform/errors.ts';

export type ReferenceRate = { currency: string; day: string; micros: number };

/** Rates are stored in millionths of the currency for one euro. */
export const MICROS = 1_000_000;

/**
 * Parses the reference rates in a document of the European Central Bank (daily or history): units of each currency for one euro,
 * by day. @throws KontorError if there are none
 */
export function readReferenceRates(text: string): ReferenceRate[] {
  const rates = ratesIn(readXml(text), undefined);
  if (rates.length === 0) throw unprocessable('no_rates', 'Die Antwort enthält keine Wechselkurse.');
  return rates;
}

/** Collects the rates under an element; the day is an attribute of the element around them. */
function ratesIn({ attributes, children }: XmlNode, day: string | undefined): ReferenceRate[] {
  const { time = day, currency, rate = '' } = attributes;
  if (currency !== undefined) {
    const micros = /^\d{1,9}(\.\d{1,12})?$/.test(rate) ? Math.round(Number(rate) * MICROS) : 0;
    const isDay = time !== undefined && /^\d{4}-\d\d-\d\d$/.test(time) && !Number.isNaN(Date.parse(time));
    return isDay && micros > 0 && /^[A-Z]{3}$/.test(currency) ? [{ currency, day: time, micros }] : [];
  }
  return children.flatMap((child) => ratesIn(child, time));
}
