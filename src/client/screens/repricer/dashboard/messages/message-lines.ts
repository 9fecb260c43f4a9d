import { decisionReasons, reasonCodes } from '#shared/repricer/decision.ts';
import type { MessageCount } from '#shared/repricer/dashboard.ts';
import { heldReasons } from '#shared/repricer/held.ts';
import type { ChartSeries } from '#client/ui/charts/chart-series.ts';

export type MessageGroup = MessageCount['group'];

const verdicts = {
  submit: 'Darf gesendet werden',
  step: 'In Schritten gesendet',
  hold: 'Gehalten',
  unchanged: 'Preis gilt schon',
  none: 'Kein Preis',
  dry_run: 'Probelauf',
} as const;
const sent = {
  new: 'Wartet',
  sending: 'Wird gesendet',
  accepted: 'Angenommen',
  live: 'Gilt',
  invalid: 'Abgelehnt',
  unknown: 'Ungeklärt',
  held: 'Gehalten',
} as const;

/**
 * Reasons that set a price come first, because they are far more frequent than those that leave it: they
 * get plain colours before dashes are needed.
 */
const reasons = reasonCodes.toSorted(
  (one, other) => Number(one.startsWith('HOLD_')) - Number(other.startsWith('HOLD_')),
);

type Group = { label: string; help: string; types: readonly (readonly [code: string, name: string])[] };
export const messageGroups: Readonly<Record<MessageGroup, Group>> = {
  reason: {
    label: 'Gründe der Entscheidungen',
    help: 'Wie oft der Repricer aus welchem Grund einen Preis errechnet oder gelassen hat.',
    types: reasons.map((code) => [code, decisionReasons[code]] as const),
  },
  verdict: {
    label: 'Urteile der Prüfung',
    help: 'Was die Prüfung vor dem Senden zu den Entscheidungen gesagt hat; angehaltene stehen mit ihrem Grund unter „Angehalten“.',
    types: Object.entries(verdicts),
  },
  held: {
    label: 'Angehalten',
    help: 'Wie oft ein errechneter Preis aus welchem Grund nicht gesendet wurde.',
    types: Object.entries(heldReasons),
  },
  sent: {
    label: 'Gesendet',
    help: 'Was aus den Preisen wurde, die an den Marktplatz gingen.',
    types: Object.entries(sent),
  },
};
export const groupNames = ['reason', 'verdict', 'held', 'sent'] as const satisfies readonly MessageGroup[];

/**
 * RDA-01: returns a line for each type of a group that occurs in these days. A type keeps its colour whichever others occur; a
 * type unknown to this program is named by its code.
 */
export function messageLines(
  rows: readonly MessageCount[],
  group: MessageGroup,
  days: readonly string[],
): ChartSeries[] {
  const byType = Map.groupBy(
    rows.filter((row) => row.group === group),
    ({ type }) => type,
  );
  const known = messageGroups[group].types;
  const codes = new Set(known.map(([code]) => code));
  const others = [...byType.keys()]
    .filter((code) => !codes.has(code))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((code) => [code, code] as const);
  return [...known, ...others].flatMap(([key, name], position): ChartSeries[] => {
    const own = byType.get(key);
    if (own === undefined) return [];
    const counts = new Map(own.map(({ datum, count }) => [datum.date, count]));
    return [{ key, name, position, values: days.map((day) => counts.get(day) ?? 0) }];
  });
}

/** Returns the sum of these lines over all days. */
export const totalOf = (lines: readonly ChartSeries[]): number =>
  lines.reduce((total, { values }) => values.reduce<number>((sum, value) => sum + (value ?? 0), total), 0);
