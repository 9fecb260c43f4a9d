/*
 * Days as yyyy-MM-dd. The current day is that of Berlin, wherever the browser is. Beyond that a day is just a calendar date, so
 * the hours that summer time skips or repeats cannot shift it.
 */
/** Years that the server accepts. */
const [FIRST_YEAR, LAST_YEAR] = [1971, 9998];
const dayMs = 24 * 60 * 60_000;
const inBerlin = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Berlin' });
const short = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'UTC' });
const withWeekday = new Intl.DateTimeFormat('de-DE', {
  weekday: 'short',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Days from `start` to `end`, both included. */
export type DayRange = { readonly start: string; readonly end: string };

export const berlinDay = (moment: Date): string => inBerlin.format(moment);

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Number of days in a range. */
export const dayCount = ({ start, end }: DayRange): number => (Date.parse(end) - Date.parse(start)) / dayMs + 1;

export function daysOf(range: DayRange): string[] {
  return Array.from({ length: dayCount(range) }, (_, index) => addDays(range.start, index));
}

/** Tells whether a text is an existing day that calls accept. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return false;
  const year = Number(text.slice(0, 4));
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/**
 * Parses a day as Germans type it (25.10.2026, 5.1.26; 25102026, since telephone keypads have no full stop), or yyyy-MM-dd;
 * undefined if it is none.
 */
export function readDay(text: string): string | undefined {
  const [, day = '', month = '', year = ''] =
    /^\s*(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4}|\d\d)\s*$/.exec(text) ?? /^\s*(\d\d)(\d\d)(\d{4})\s*$/.exec(text) ?? [];
  const found =
    day === '' ? text.trim() : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(found) ? found : undefined;
}

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
const monthBefore = (day: string): DayRange => {
  const end = addDays(firstOfMonth(day), -1);
  return { start: firstOfMonth(end), end };
};
const isWholeMonth = ({ start, end }: DayRange): boolean =>
  start === firstOfMonth(start) &&
  start.slice(0, 7) === end.slice(0, 7) &&
  addDays(end, 1) === firstOfMonth(addDays(end, 1));

/** The same number of days directly before. For days of one month: the same days of the month before, a whole month for another. */
function rangeBefore(range: DayRange, ofMonth: boolean): DayRange {
  const days = dayCount(range);
  if (!ofMonth) return { start: addDays(range.start, -days), end: addDays(range.start, -1) };
  const before = monthBefore(range.start);
  const end = addDays(before.start, days - 1);
  return isWholeMonth(range) || end > before.end ? before : { start: before.start, end };
}

/** The days of a range that are over, and those to compare them with. */
export type Compared = { readonly over: DayRange; readonly earlier: DayRange };

/**
 * Returns which days to compare: today's sales are not complete, and would read as a loss. null if no day of the range is over.
 * `ofMonth`: see `RangePreset`.
 */
export function comparedDays({ start, end }: DayRange, today: string, ofMonth = false): Compared | null {
  const over = { start, end: end < today ? end : addDays(today, -1) };
  return over.end < start ? null : { over, earlier: rangeBefore(over, ofMonth) };
}

export type RangePreset = {
  readonly label: string;
  readonly of: (today: string) => DayRange;
  /** Days of one month, which are compared with the same days of the month before. */
  readonly ofMonth?: boolean;
};

export const lastDays = (label: string, days: number): RangePreset => ({
  label,
  of: (today) => ({ start: addDays(today, 1 - days), end: today }),
});
export const thisMonth = (label: string): RangePreset => ({
  label,
  of: (today) => ({ start: firstOfMonth(today), end: today }),
  ofMonth: true,
});
/** Preset of the given number of whole months up to the last one. */
export const lastMonths = (label: string, months: number): RangePreset => ({
  label,
  of: (today) => {
    let start = today;
    for (let month = 0; month < months; month++) ({ start } = monthBefore(start));
    return { start, end: monthBefore(today).end };
  },
  ofMonth: months === 1,
});
export const last30Days = lastDays('Letzte 30 Tage', 30);
/** ORD-01. */
export const rangePresets: readonly RangePreset[] = [
  lastDays('Heute', 1),
  { label: 'Gestern', of: (today) => ({ start: addDays(today, -1), end: addDays(today, -1) }) },
  lastDays('Letzte 7 Tage', 7),
  last30Days,
  thisMonth('Dieser Monat'),
  lastMonths('Letzter Monat', 1),
];

export const isSameRange = (one: DayRange, other: DayRange): boolean =>
  one.start === other.start && one.end === other.end;

/** The preset of these days: on some days two have the same, then the one that was `chosen`. */
export function presetOf(
  presets: readonly RangePreset[],
  range: DayRange,
  { today, chosen }: { today: string; chosen: string | null },
): RangePreset | undefined {
  const fitting = presets.filter(({ of }) => isSameRange(of(today), range));
  return fitting.find(({ label }) => label === chosen) ?? fitting[0];
}

/** 2026-10-25 becomes 25.10.2026 */
export const formatDate = (day: string): string => short.format(Date.parse(day));
/** 2026-10-25 becomes So., 25.10.2026 */
export const formatWeekday = (day: string): string => withWeekday.format(Date.parse(day));
/** 25.10.2026 – 23.11.2026, or one day alone */
export const formatRange = ({ start, end }: DayRange): string =>
  start === end ? formatDate(start) : `${formatDate(start)}\u00a0– ${formatDate(end)}`;

/** Says what was compared with what. `partly`: today is left out. */
export const comparedWords = ({ over, earlier }: Compared, partly: boolean): string =>
  partly
    ? `Verglichen werden volle Tage, heute läuft noch: ${formatRange(over)} mit ${formatRange(earlier)}.`
    : `Verglichen mit dem Zeitraum davor: ${formatRange(earlier)}.`;
