import { z } from 'zod';

/**
 * A figure that limits single prices or many at once, with its default. A catalogue may have its own within a range; making one
 * less safe needs a confirmation with a reason. `safer`: which direction is safer.
 */
const figure = (normal: number, least: number, most: number, safer: 'less' | 'more', words: Words) => ({
  normal,
  least,
  most,
  safer,
  ...words,
});
type Words = {
  group: 'price' | 'tempo' | 'data' | 'many';
  unit: '%' | 'Min.' | 'Std.' | 'Mal';
  label: string;
  hint: string;
};

export const safetyFigures = {
  step: figure(30, 1, 90, 'less', {
    group: 'price',
    unit: '%',
    label: 'Größter Sprung je Versand',
    hint: 'Weiter entfernte Preise werden in mehreren Schritten erreicht.',
  }),
  stepPause: figure(30, 5, 1440, 'more', {
    group: 'price',
    unit: 'Min.',
    label: 'Pause zwischen zwei Sprüngen',
    hint: 'So lange bleibt Zeit, einen falschen Preis zu bemerken.',
  }),
  dayFall: figure(50, 1, 95, 'less', {
    group: 'price',
    unit: '%',
    label: 'Größter Fall in 24 Stunden',
    hint: 'Verhindert, dass viele kleine Schritte einen Preis verfallen lassen.',
  }),
  limitsMove: figure(50, 1, 1000, 'less', {
    group: 'price',
    unit: '%',
    label: 'Preisgrenzen ändern sich höchstens um',
    hint: 'Verglichen mit dem letzten Preis; darüber wartet der Artikel auf eine Bestätigung.',
  }),
  pause: figure(5, 1, 1440, 'more', {
    group: 'tempo',
    unit: 'Min.',
    label: 'Abstand zweier Preise eines Artikels',
    hint: 'Manche Marktplätze begrenzen, wie oft ein Preis geändert werden darf.',
  }),
  perHour: figure(12, 1, 60, 'less', {
    group: 'tempo',
    unit: 'Mal',
    label: 'Preise je Artikel und Stunde',
    hint: 'Bremst Preiskämpfe zwischen Automaten.',
  }),
  perDay: figure(200, 1, 1000, 'less', {
    group: 'tempo',
    unit: 'Mal',
    label: 'Preise je Artikel und Tag',
    hint: 'eBay.de zum Beispiel erlaubt 250.',
  }),
  offersAge: figure(60, 5, 1440, 'less', {
    group: 'data',
    unit: 'Min.',
    label: 'Angebote höchstens so alt',
    hint: 'Auf ältere Angebote von Wettbewerbern wird nicht mehr reagiert.',
  }),
  snapshotAge: figure(48, 1, 1080, 'less', {
    group: 'data',
    unit: 'Std.',
    label: 'Artikeldaten höchstens so alt',
    hint: 'Aus dem letzten Import stammen die Preisgrenzen.',
  }),
  changedShare: figure(20, 1, 100, 'less', {
    group: 'many',
    unit: '%',
    label: 'Anteil der Artikel, die sich stark ändern',
    hint: 'Innerhalb einer Stunde; darüber wird der Katalog angehalten.',
  }),
  changedBy: figure(10, 1, 90, 'less', {
    group: 'many',
    unit: '%',
    label: 'Als starke Änderung zählt mehr als',
    hint: 'Gehört zum Anteil darüber.',
  }),
  minimumShare: figure(10, 1, 100, 'less', {
    group: 'many',
    unit: '%',
    label: 'Anteil der Artikel, die auf ihren Mindestpreis fallen',
    hint: 'Innerhalb von 15 Minuten; darüber wird der Katalog angehalten.',
  }),
  valueLoss: figure(5, 1, 90, 'less', {
    group: 'many',
    unit: '%',
    label: 'Verlust am Warenwert',
    hint: 'Preissenkung mal Bestand innerhalb einer Stunde; darüber wird der Katalog angehalten.',
  }),
} as const;
export type SafetyFigure = keyof typeof safetyFigures;
export const safetyNames = [
  'step',
  'stepPause',
  'dayFall',
  'limitsMove',
  'pause',
  'perHour',
  'perDay',
  'offersAge',
  'snapshotAge',
  'changedShare',
  'changedBy',
  'minimumShare',
  'valueLoss',
] as const satisfies readonly SafetyFigure[];

const within = (name: SafetyFigure) => {
  const { least, most, normal, label } = safetyFigures[name];
  const words = `${label}: ${least} bis ${most}`;
  return z.int(words).min(least, words).max(most, words).default(normal);
};

/** Whole percents, minutes, hours and counts, as in `safetyFigures`. Absent ones have their default. */
export const PriceSafety = z
  .object({
    step: within('step'),
    stepPause: within('stepPause'),
    dayFall: within('dayFall'),
    limitsMove: within('limitsMove'),
    pause: within('pause'),
    perHour: within('perHour'),
    perDay: within('perDay'),
    offersAge: within('offersAge'),
    snapshotAge: within('snapshotAge'),
    changedShare: within('changedShare'),
    changedBy: within('changedBy'),
    minimumShare: within('minimumShare'),
    valueLoss: within('valueLoss'),
  })
  .meta({ id: 'PriceSafety' });
export type PriceSafety = z.infer<typeof PriceSafety>;

export const normalSafety: PriceSafety = PriceSafety.parse({});

/** Returns the figures that are less safe than before. */
export const lessSafe = (before: PriceSafety, after: PriceSafety): SafetyFigure[] =>
  safetyNames.filter((name) =>
    safetyFigures[name].safer === 'less' ? after[name] > before[name] : after[name] < before[name],
  );

/** Returns the changes between two states of the figures as German sentences. */
export const safetyChanges = (before: PriceSafety, after: PriceSafety): string[] =>
  safetyNames
    .filter((name) => before[name] !== after[name])
    .map((name) => {
      const { label, unit } = safetyFigures[name];
      return `${label}: vorher ${before[name]} ${unit}, jetzt ${after[name]} ${unit}`;
    });

export const SafetyState = z
  .object({
    figures: PriceSafety,
    revision: z.number().int(),
    /** False: the stored figures are invalid, and no price is sent until new ones are saved; `figures` are then the defaults. */
    readable: z.boolean(),
  })
  .meta({ id: 'SafetyState' });
export type SafetyState = z.infer<typeof SafetyState>;

/** `reason` and `confirmed` are required if a figure becomes less safe. */
export const SaveSafety = z.object({
  figures: PriceSafety,
  confirmed: z.boolean().default(false),
  reason: z.string().trim().max(500).default(''),
});
