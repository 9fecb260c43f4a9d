/*
 * German formats, each formatter made once. Times are those of Berlin whatever the machine's zone, so that server and
 * browser write the same text.
 */
const timeZone = 'Europe/Berlin';
const integer = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat('de-DE', { style: 'percent', maximumFractionDigits: 1 });
const dateTime = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone });
const short = new Intl.DateTimeFormat('de-DE', {
  day: '2-digit',
  month: '2-digit',
  year: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  timeZone,
});
const planned = new Intl.DateTimeFormat('de-DE', {
  weekday: 'short',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  timeZone,
});
const clock = new Intl.DateTimeFormat('de-DE', { timeStyle: 'short', timeZone });
const dayOnly = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone });

/** The typographic minus (U+2212); Intl writes a hyphen. */
const withMinus = (text: string): string => text.replace('-', '\u2212');

/** 1.234.567 */
export const formatInteger = (value: number): string => withMinus(integer.format(value));
/** 1.234,5 */
export const formatDecimal = (value: number): string => withMinus(decimal.format(value));
/** 0.123 becomes 12,3 % */
export const formatPercent = (share: number): string => withMinus(percent.format(share));
/** Formats a share of a whole; 100 % means all of it, 0 % nothing. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0005) return 'unter 0,1\u00a0%';
  return formatPercent(share < 1 ? Math.min(share, 0.999) : 1);
}
/** Formats a relative change: +3,4 %. A change that is not 0 is never shown as 0: − unter 0,1 %. */
export function formatChange(share: number): string {
  if (share !== 0 && Math.abs(share) < 0.0005) return `${share > 0 ? '+' : '\u2212'}\u00a0unter 0,1\u00a0%`;
  return `${share > 0 ? '+' : ''}${formatPercent(share)}`;
}
/** Formats a filled share: 0.6399 becomes 63,9 %. Rounded down, so that 100 % means full; a tiny share is not shown as 0. */
export function formatFilled(share: number): string {
  if (share > 0 && share < 0.001) return 'unter 0,1\u00a0%';
  return formatPercent(Math.floor(share * 1000 + 1e-9) / 1000);
}
/** ISO time becomes 20.11.2026, 16:04 */
export const formatTime = (iso: string): string => dateTime.format(new Date(iso));
/** ISO time becomes 20.11.26, 16:04: for lists */
export const formatShortTime = (iso: string): string => short.format(new Date(iso));
/** ISO time becomes Fr., 20.11.2026, 16:04 MEZ: with the weekday and the time zone (MEZ or MESZ) */
export const formatPlanned = (iso: string): string => planned.format(new Date(iso));
/** ISO time becomes 16:04 */
export const formatClock = (iso: string): string => clock.format(new Date(iso));
/** ISO time becomes 20.11.2026 */
export const formatDay = (iso: string): string => dayOnly.format(new Date(iso));

/** Formats a count with its noun: `formatCount(1, 'Artikel', 'Artikel')`. */
export const formatCount = (count: number, one: string, many: string): string =>
  `${formatInteger(count)}\u00a0${count === 1 ? one : many}`;

/** Formats how many items of all are shown: „Die ersten 5 von 1.200 Artikeln“ */
export const formatFirst = (shown: number, total: number): string =>
  `${shown === 1 ? 'Der erste' : `Die ersten ${formatInteger(shown)}`} von ${formatCount(total, 'Artikel', 'Artikeln')}`;

/** Formats bytes with a unit: 1,2 MB */
export function formatBytes(bytes: number): string {
  const units = ['Byte', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? formatInteger(value) : formatDecimal(Math.round(value * 10) / 10)}\u00a0${units[unit]}`;
}

/** Formats the time between two ISO times: 4 s, 2 min 5 s */
export function formatDuration(from: string, until: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(until) - Date.parse(from)) / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  return `${Math.floor(seconds / 60)}\u00a0min ${seconds % 60}\u00a0s`;
}
