import { moment } from '#shared/values/schema.ts';
import { inWholeDay } from './ambiguous-days.ts';

const berlin = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Berlin',
  hour: '2-digit',
  hour12: false,
  day: '2-digit',
  minute: '2-digit',
  month: '2-digit',
  year: 'numeric',
  second: '2-digit',
});

const months = ['jan', 'feb', 'm[aä]?r', 'apr', 'ma[iy]', 'jun', 'jul', 'aug', 'sep', 'o[kc]t', 'nov', 'de[zc]'];
/** Days as eBay writes them: 20-Nov-26, Nov-20-26. */
const named = /^(?:(\d{1,2})-(\p{L}{3})|(\p{L}{3})-(\d{1,2}))-(\d{2}|\d{4})$/u;

/** Returns a day written with a month name or a two-digit year with numbers and four digits. */
function plainDay(text: string): string {
  const [, before = '', first = '', second = '', behind = '', year = ''] = named.exec(text) ?? [];
  const [day, name] = [before + behind, first + second];
  const month = name === '' ? -1 : months.findIndex((shape) => new RegExp(`^${shape}`, 'iu').test(name));
  const written = month < 0 ? text : `${day}.${month + 1}.${year}`;
  return written.replace(/^(\d{1,2}\.\d{1,2}\.)(\d{2})(?!\d)/, '$120$2');
}

/**
 * The end of a time that says how far its clock is ahead of UTC: +0100, -05:00, +00 as PostgreSQL writes it, GMT+0100 as browsers
 * do, Z or UTC.
 */
const zoned = /:\d{2}(?:\.(\d{1,9}))?\s*(?:z|utc|gmt|(?:utc|gmt)?([+-](?:0\d|1[0-4]))(?::?([0-5]\d))?)$/i;
const signed = /:\d{2}.*[+-][\d:]+$/;
/** A day whose month JavaScript finds for certain: by its name, or behind the year. */
const certain = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|^\d{4}\//i;

/**
 * Returns a date and time of a file in the wire format; without an offset it is taken as Berlin time. Reads German dates
 * (20.11.2026 10:30), ISO and database ones; '' and anything else is returned unchanged, so that the check names it.
 */
export function momentOf(text: string): string {
  const trimmed = inWholeDay(plainDay(text.trim()));
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(trimmed);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(trimmed);
  const parts = german === null ? iso?.slice(1) : [german[3], german[2], german[1], ...german.slice(4)];
  const zone = zoned.exec(trimmed);
  if (parts === undefined) {
    // JavaScript takes the first number of 05-11-2026 for the month.
    const at = zone !== null && certain.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
    return Number.isNaN(at) ? trimmed : new Date(at).toISOString();
  }
  // An offset that cannot be read: the time is not Berlin's.
  if (zone === null && signed.test(trimmed)) return trimmed;
  const asUtc = wallTime(parts.map((part: string | undefined) => Number(part ?? 0)));
  if (asUtc === undefined) return trimmed;
  return new Date(zone === null ? asUtc - offsetAt(asUtc) : asUtc + thousandths(zone) - offsetOf(zone)).toISOString();
}

const thousandths = ([, fraction = '']: RegExpExecArray): number => Number(fraction.slice(0, 3).padEnd(3, '0'));

/** How far a clock is ahead of UTC by the end of its time, in ms. */
const offsetOf = ([, , hours = '+00', minutes = '00']: RegExpExecArray): number =>
  (Number(hours) * 60 + Number(`${hours.charAt(0)}${minutes}`)) * 60_000;

/** Returns whether a text of a file is a moment. Databases write 0000-00-00 or NULL if nothing happened. */
export const isMoment = (text: string): boolean => moment.safeParse(momentOf(text)).success;

/**
 * Returns the clock reading as if it were UTC, in ms; undefined if no clock shows it, as arithmetic would turn it into another
 * day.
 */
function wallTime([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: number[]): number | undefined {
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  if (Number.isNaN(at)) return undefined;
  const made = new Date(at);
  const isSame =
    made.getUTCFullYear() === year &&
    made.getUTCMonth() === month - 1 &&
    made.getUTCDate() === day &&
    made.getUTCHours() === hour &&
    made.getUTCMinutes() === minute &&
    made.getUTCSeconds() === second;
  return isSame ? at : undefined;
}

/** How far Berlin's clock is ahead of UTC when it shows this wall time, in ms. */
function offsetAt(wall: number): number {
  const shown = (at: number): number => {
    const part = Object.fromEntries(berlin.formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(
      part['year'] ?? 0,
      (part['month'] ?? 1) - 1,
      part['day'],
      (part['hour'] ?? 0) % 24,
      part['minute'],
      part['second'],
    );
  };
  // The offset an hour before decides at the change between summer and winter time.
  return shown(wall - 3_600_000) - (wall - 3_600_000);
}
