import type { ScheduleTimes } from './schema.ts';

/** A calendar day; months from 1. */
type Day = { readonly year: number; readonly month: number; readonly day: number };
type Plan = Pick<ScheduleTimes, 'active' | 'kind' | 'times' | 'weekdays' | 'minutes'>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const berlin = new Intl.DateTimeFormat('en-US', {
  timeZone: 'Europe/Berlin',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** Returns what Berlin's clocks show at an instant, as if it were UTC in ms, so that calendar arithmetic is possible. */
function wallOf(instant: number): number {
  const parts = new Map(berlin.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const wallTime = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wallTime + (((instant % 1000) + 1000) % 1000);
}

const offsetAt = (instant: number): number => wallOf(instant) - instant;

/**
 * Returns the instant at which Berlin's clocks show `wall`: the first one if it occurs twice (in autumn); the next existing
 * minute if it does not occur (in spring).
 */
function instantOf(wall: number): number {
  const [before, after] = [offsetAt(wall - DAY), offsetAt(wall + DAY)];
  for (const offset of [before, after]) if (offsetAt(wall - offset) === offset) return wall - offset;
  // In the gap: the change is between the two readings, on a full minute.
  let [low, high] = [(wall - after) / MINUTE, (wall - before) / MINUTE];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE) === after) high = middle;
    else low = middle;
  }
  return high * MINUTE;
}

/** `wallText` returns what Berlin's clocks show, in the form of a date and time field; `instantOfText` parses such a text. */
export const wallText = (at: Date): string => new Date(wallOf(at.getTime())).toISOString().slice(0, 16);
export function instantOfText(text: string): Date | undefined {
  const wall = Date.parse(`${text.slice(0, 16)}:00Z`);
  return Number.isNaN(wall) ? undefined : new Date(instantOf(wall));
}

function dayOf(wall: number): Day {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const wallAt = ({ year, month, day }: Day, minutes = 0): number => Date.UTC(year, month - 1, day, 0, minutes);

/** 1 Monday … 7 Sunday. */
const weekdayOf = (day: Day): number => new Date(wallAt(day)).getUTCDay() || 7;

/** Returns the first start of a plan on one day after `after`; undefined if there is none. */
function dueOn(plan: Plan, day: Day, after: number): number | undefined {
  if (plan.kind === 'times') {
    const starts = plan.times.map((time) => {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      return instantOf(wallAt(day, hours * 60 + minutes));
    });
    return starts.filter((start) => start > after).sort((one, other) => one - other)[0];
  }
  // In elapsed minutes: in autumn an hour more, in spring an hour less.
  const [begin, end] = [instantOf(wallAt(day)), instantOf(wallAt(day) + DAY)];
  const step = plan.minutes * MINUTE;
  const next = begin + Math.max(0, Math.floor((after - begin) / step) + 1) * step;
  return next < end ? next : undefined;
}

/**
 * Returns the next start of a plan after an instant, by Berlin time; undefined if it is switched off or has no times. A set time
 * that does not exist on the day the clocks go forward runs at the next existing minute; one that exists twice runs once.
 */
export function nextDue(plan: Plan, after: Date): Date | undefined {
  if (!plan.active) return undefined;
  const today = wallAt(dayOf(wallOf(after.getTime())));
  // A week and a day: today may be the only weekday, and its time may have passed.
  for (let ahead = 0; ahead <= 7; ahead++) {
    const day = dayOf(today + ahead * DAY);
    if (!plan.weekdays.includes(weekdayOf(day))) continue;
    const due = dueOn(plan, day, after.getTime());
    if (due !== undefined) return new Date(due);
  }
  return undefined;
}

/** Returns the next starts, at most `count`. */
export function nextDues(plan: Plan, after: Date, count: number): Date[] {
  const dues: Date[] = [];
  for (let from: Date | undefined = after; dues.length < count;) {
    from = nextDue(plan, from);
    if (from === undefined) break;
    dues.push(from);
  }
  return dues;
}
