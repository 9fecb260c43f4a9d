import { isItemNumber } from '#feed/import/reader/key.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';

const mostNames = 20;

type Field = { name: string; values: readonly string[] };

const long = /^\d(?:[.,]\d+)?E\+?(?:[7-9]|1\d)$/iu;
const apostrophe = /^'\d+$/u;
const pointZero = /^\d+\.0$/u;

function namesOf(fields: readonly Field[]): string {
  const more = fields.length > mostNames ? ` und ${fields.length - mostNames} weiteren` : '';
  const names = fields
    .slice(0, mostNames)
    .map(({ name }) => `„${name}“`)
    .join(', ');
  return `${fields.length === 1 ? 'der Spalte' : 'den Spalten'} ${names}${more}`;
}

function firstOf([field]: readonly Field[], shape: RegExp): string {
  return field?.values.find((value) => shape.test(value)) ?? '';
}

/** Warns about item numbers that a program treated as quantities; they are imported unchanged, as the lost digits are unknown. */
export function warnOfSpoiltNumbers(warnings: Warnings, fields: readonly Field[]): void {
  const exponents = fields.filter(({ values }) => values.some((value) => long.test(value)));
  if (exponents.length > 0)
    warnings.once(
      'exponents',
      `In ${namesOf(exponents)} stehen lange Nummern als Exponentialzahl (${firstOf(exponents, long)}): Excel hat dabei meist Ziffern verworfen. Sie wurden so übernommen und taugen nicht als EAN oder Artikelnummer. Bitte exportieren Sie die Datei neu, ohne sie in Excel zu speichern, oder formatieren Sie die Spalte dort vorher als Text.`,
    );
  const marked = fields.filter(({ values }) => values.length > 0 && values.every((value) => apostrophe.test(value)));
  if (marked.length > 0)
    warnings.once(
      'apostrophes',
      `In ${namesOf(marked)} beginnen Nummern mit einem Apostroph (${firstOf(marked, apostrophe)}), der sie in Excel als Text hält. Sie wurden so übernommen und stimmen nicht mit EAN oder Artikelnummern anderer Dateien überein. Bitte exportieren Sie die Spalte ohne Apostroph oder entfernen Sie ihn mit einer Regel.`,
    );
  const ofItems = ({ name, values }: Field) =>
    values.length > 0 &&
    (isItemNumber(name)
      ? values.every((value) => pointZero.test(value))
      : values.every((value) => /^\d{12,14}\.0$/u.test(value)));
  const fractions = fields.filter(ofItems);
  if (fractions.length > 0)
    warnings.once(
      'point_zero',
      `In ${namesOf(fractions)} enden Nummern auf „.0“ (${firstOf(fractions, pointZero)}): Ein Programm hielt sie für Kommazahlen. Sie wurden so übernommen und stimmen nicht mit EAN oder Artikelnummern anderer Dateien überein. Bitte exportieren Sie die Spalte als Text.`,
    );
}
