import { z } from 'zod';
import { pg } from '#platform/db/pg.ts';
import { loadDocument, saveDocument } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { nextDue } from '#shared/schedule/due-times.ts';
import { type Schedule, ScheduleSettings } from '#shared/schedule/schema.ts';

/** A schedule: that of a catalogue's imports, of an export's runs, or of its file with stock and price. */
export type SchedulePlace = {
  readonly company: string;
  readonly subject: 'schedule' | 'stock_schedule';
  /** `master:<id>` or `export:<id>`. */
  readonly scope: string;
};

/** What the dispatcher wrote down about a schedule. Times are those of the program's clock. */
export type ScheduleState = {
  revision: number;
  nextAt: Date | null;
  note: string | null;
  goodRun: string | null;
  goodAt: Date;
  overdueSince: Date | null;
};

type StateRow = {
  known: number | null;
  next_at: Date | null;
  note: string | null;
  good_run: string | null;
  good_at: Date | null;
  overdue_since: Date | null;
};

const stateOf = (row: StateRow): ScheduleState | undefined =>
  row.known === null || row.good_at === null
    ? undefined
    : {
        revision: row.known,
        nextAt: row.next_at,
        note: row.note,
        goodRun: row.good_run,
        goodAt: row.good_at,
        overdueSince: row.overdue_since,
      };

export const settingsOf = (body: string | undefined): ScheduleSettings =>
  ScheduleSettings.parse(body === undefined ? {} : JSON.parse(body));

/** A schedule as screens show it. */
export async function loadSchedule(trx: Trx, place: SchedulePlace, now: Date): Promise<Schedule> {
  const { company, subject, scope } = place;
  const { body, revision } = await loadDocument(trx, company, subject, scope);
  const settings = settingsOf(body);
  const state = await stateAt(trx, place);
  // The dispatcher takes a save up some seconds later.
  const next = state?.revision === revision ? state.nextAt : nextDue(settings, now);
  return {
    settings,
    revision,
    nextAt: next?.toISOString() ?? null,
    note: settings.active ? (state?.note ?? null) : null,
    overdueSince: settings.active ? (state?.overdueSince?.toISOString() ?? null) : null,
    now: now.toISOString(),
  };
}

export function saveSchedule(
  trx: Trx,
  { company, subject, scope }: SchedulePlace,
  settings: ScheduleSettings,
  save: { author: string; expected: number | undefined },
): Promise<number> {
  return saveDocument(trx, { company, subject, scope }, { body: JSON.stringify(settings), ...save });
}

const Row = z.object({ subject: z.enum(['schedule', 'stock_schedule']) });

/** Every schedule of all companies with its state, its newest successful run and whether one is under way; for the dispatcher, in a system transaction. */
export async function allSchedules(trx: Trx): Promise<
  {
    place: SchedulePlace;
    revision: number;
    body: string;
    state: ScheduleState | undefined;
    done: string | null;
    busy: boolean;
  }[]
> {
  type Found = StateRow & { company: string; subject: string; scope: string; revision: number; body: string };
  const { rows } = await pg<Found & { done: string | null; busy: boolean }>`
    select d.company, d.subject, d.scope, d.revision, d.body, s.revision as known, s.next_at, s.note, s.good_run, s.good_at,
      s.overdue_since, g.id as done, exists (select 1 from jobs j where j.company = d.company and j.subject = d.jobs
        and j.state in ('queued', 'running')) as busy
    from (select distinct on (company, subject, scope) company, subject, scope, revision, body,
        case subject when 'stock_schedule' then replace(scope, 'export:', 'stock:') else scope end as jobs
      from documents where subject in ('schedule', 'stock_schedule') order by company, subject, scope, revision desc) d
    left join schedules s on s.company = d.company and s.subject = d.subject and s.scope = d.scope
    left join lateral (select j.id from jobs j where j.company = d.company and j.state = 'done'
      and j.subject = d.jobs order by j.created_at desc limit 1) g on true`.execute(trx);
  return rows.map(({ company, scope, revision, body, done, busy, ...row }) => ({
    place: { company, scope, subject: Row.parse({ subject: row.subject }).subject },
    revision,
    body,
    done,
    busy,
    state: stateOf(row),
  }));
}

async function stateAt(trx: Trx, { company, subject, scope }: SchedulePlace): Promise<ScheduleState | undefined> {
  const { rows } = await pg<StateRow>`
    select revision as known, next_at, note, good_run, good_at, overdue_since from schedules
    where company = ${company} and subject = ${subject} and scope = ${scope}`.execute(trx);
  return rows[0] && stateOf(rows[0]);
}

/** The state under a lock: whoever holds it decides alone, in this transaction, what is started. */
export async function lockState(
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
): Promise<ScheduleState | undefined> {
  const { rows } = await pg<StateRow>`
    select revision as known, next_at, note, good_run, good_at, overdue_since from schedules
    where company = ${company} and subject = ${subject} and scope = ${scope} for update`.execute(trx);
  return rows[0] && stateOf(rows[0]);
}

/** Writes the state down; an older revision never takes the place of a newer one. */
export async function writeState(
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
  state: ScheduleState,
): Promise<void> {
  const { revision, nextAt, note, goodRun, goodAt, overdueSince } = state;
  await pg`insert into schedules (company, subject, scope, revision, next_at, note, good_run, good_at, overdue_since)
    values (${company}, ${subject}, ${scope}, ${revision}, ${nextAt}, ${note}, ${goodRun}, ${goodAt}, ${overdueSince})
    on conflict (company, subject, scope) do update set revision = excluded.revision, next_at = excluded.next_at,
      note = excluded.note, good_run = excluded.good_run, good_at = excluded.good_at, overdue_since = excluded.overdue_since
    where schedules.revision <= excluded.revision`.execute(trx);
}
