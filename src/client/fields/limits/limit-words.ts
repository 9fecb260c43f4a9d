import { type LimitChange, type LimitMoves, limitWords } from '#shared/repricer/before-save.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

/** Wording per action: how to confirm it although limits move, and what happens otherwise. */
export const actWords = {
  save: { confirm: 'Trotzdem speichern', instead: 'Ihre Änderungen bleiben im Formular, wenn Sie abbrechen.' },
  order: { confirm: 'Trotzdem sortieren', instead: 'Die Reihenfolge steht wieder wie zuvor, wenn Sie abbrechen.' },
  remove: { confirm: 'Trotzdem löschen', instead: 'Die Regel bleibt, wenn Sie abbrechen.' },
  restore: { confirm: 'Trotzdem wiederherstellen', instead: 'Der heutige Stand bleibt, wenn Sie abbrechen.' },
} as const;
export type LimitsAct = keyof typeof actWords;

/** Describes how limits move: a sentence for each changed limit, and one for the minimum that falls the most. */
export function limitSentences(change: LimitChange, currencyOf: (marketplace: string) => string): string[] {
  const sentences = (['min', 'max', 'standard'] as const).flatMap((limit) => {
    const moves = movesOf(change[limit]);
    return moves === '' ? [] : [`${limitWords[limit]} ${moves}.`];
  });
  const { steepest } = change;
  if (steepest === null) return sentences;
  const { item, marketplace, from_cents, to_cents } = steepest;
  const money = (cents: number) => moneyText(cents, currencyOf(marketplace));
  return [
    ...sentences,
    `Am stärksten fällt der Mindestpreis von Artikel ${item}: von ${money(from_cents)} auf ${money(to_cents)}.`,
  ];
}

function movesOf({ up, down, halved, come, gone }: LimitMoves): string {
  const half = halved === 0 ? '' : `, davon bei ${formatInteger(halved)} um mehr als die Hälfte`;
  return [
    ...(down === 0 ? [] : [`sinkt bei ${formatInteger(down)}${half}`]),
    ...(up === 0 ? [] : [`steigt bei ${formatInteger(up)}`]),
    ...(come === 0 ? [] : [`ist bei ${formatInteger(come)} erstmals lesbar`]),
    ...(gone === 0 ? [] : [`ist bei ${formatInteger(gone)} nicht mehr lesbar`]),
  ].join('; ');
}
