import { z } from 'zod';
import type { Row } from '#platform/db/row.ts';
import type { InferResult } from 'kysely';
import { pg, secondsFromNow } from '#platform/db/pg.ts';
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

/** The dispatcher's stored state of a schedule. Times are those of the program's clock. */
export type ScheduleState = {
  revision: number;
  nextAt: Date | null;
  note: string | null;
  goodRun: string | null;
  goodAt: Date;
  overdueSince: Date | null;
  /** When it must be checked again; null: only after a change. */
  lookAt: Date | null;
};

const stateRows = (
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
) =>
  trx
    .selectFrom('schedules')
    .select(['revision as known', 'next_at', 'note', 'good_run', 'good_at', 'overdue_since', 'look_at'])
    .where((eb) => eb.and({ company, subject, scope }));
type StateRow = { [C in keyof StateColumns]: StateColumns[C] | null };
type StateColumns = InferResult<ReturnType<typeof stateRows>>[number];

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
        lookAt: row.look_at,
      };

export const settingsOf = (body: string | undefined): ScheduleSettings =>
  ScheduleSettings.parse(body === undefined ? {} : JSON.parse(body));

/** Loads a schedule for display. */
export async function loadSchedule(trx: Trx, ref: SchedulePlace, now: Date): Promise<Schedule> {
  const { company, subject, scope } = ref;
  const { body, revision } = await loadDocument(trx, company, subject, scope);
  const settings = settingsOf(body);
  const state = await stateAt(trx, ref);
  // The dispatcher processes a save some seconds later.
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
  save: { author: string; expected: number | undefined; note?: string | undefined },
): Promise<number> {
  return saveDocument(trx, { company, subject, scope }, { body: JSON.stringify(settings), ...save });
}

const Subject = z.object({ subject: z.enum(['schedule', 'stock_schedule']) });

/** The schedules to check: all, or those that are due, or with an event in the last `seconds`. */
export type ScheduleSelection = 'all' | { readonly now: Date; readonly seconds: number };

/** Each part of the union finds its few rows by an index of its own, however many companies there are. */
const selectedSchedules = (which: ScheduleSelection) =>
  which === 'all'
    ? pg`select distinct company, subject, scope from documents where subject in ('schedule', 'stock_schedule')`
    : pg`select company, subject, scope from schedules where look_at <= ${which.now} and subject in ('schedule', 'stock_schedule')
      union select company, subject, scope from documents
        where subject in ('schedule', 'stock_schedule') and created_at > ${secondsFromNow(-which.seconds)}
      union select company, case when subject like 'stock:%' then 'stock_schedule' else 'schedule' end, replace(subject, 'stock:', 'export:')
        from jobs where finished_at > ${secondsFromNow(-which.seconds)} and state = 'done'`;

/**
 * Schedules of all companies, except those in the trash, with their state, their latest successful run and whether one is in
 * progress; for the dispatcher, in a system transaction.
 */
export async function schedulesToAttend(
  trx: Trx,
  which: ScheduleSelection,
): Promise<
  {
    ref: SchedulePlace;
    revision: number;
    body: string;
    state: ScheduleState | undefined;
    done: string | null;
    busy: boolean;
  }[]
> {
  type Found = StateRow & Row<'documents', 'company' | 'subject' | 'scope' | 'revision' | 'body'>;
  // The newest revision and run of each schedule; the query builder's lateral joins would be hard to read.
  const { rows } = await pg<Found & { done: string | null; busy: boolean }>`
    with looked as materialized (${selectedSchedules(which)})
    select l.company, l.subject, l.scope, d.revision, d.body, s.revision as known, s.next_at, s.note, s.good_run, s.good_at,
      s.overdue_since, s.look_at, g.id as done, exists (select 1 from jobs j where j.company = l.company and j.subject = l.jobs
        and j.state in ('queued', 'running')) as busy
    from (select *, case subject when 'stock_schedule' then replace(scope, 'export:', 'stock:') else scope end as jobs from looked) l
    cross join lateral (select revision, body from documents d where d.company = l.company and d.subject = l.subject
      and d.scope = l.scope and d.subject in ('schedule', 'stock_schedule') order by d.revision desc limit 1) d
    left join schedules s on s.company = l.company and s.subject = l.subject and s.scope = l.scope
    left join lateral (select j.id from jobs j where j.company = l.company and j.state = 'done'
      and j.subject = l.jobs order by j.created_at desc limit 1) g on true
    where exists (select 1 from masters m where m.company = l.company and m.id = substr(l.scope, 8) and l.scope like 'master:%')
      or exists (select 1 from exports e where e.company = l.company and e.id = substr(l.scope, 8) and l.scope like 'export:%')`.execute(
    trx,
  );
  return rows.map(({ company, scope, revision, body, done, busy, ...row }) => ({
    ref: { company, scope, subject: Subject.parse({ subject: row.subject }).subject },
    revision,
    body,
    done,
    busy,
    state: stateOf(row),
  }));
}

async function stateAt(trx: Trx, ref: SchedulePlace): Promise<ScheduleState | undefined> {
  const row = await stateRows(trx, ref).executeTakeFirst();
  return row && stateOf(row);
}

/** The first time after `now` at which a schedule must be checked; undefined if there is none. */
export async function nextLook(trx: Trx, now: Date): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('schedules')
    .select('look_at')
    .where('look_at', '>', now)
    .orderBy('look_at')
    .limit(1)
    .executeTakeFirst();
  return row?.look_at ?? undefined;
}

/** Loads the state under a lock: only this transaction can then decide what is started. */
export async function lockState(
  trx: Trx,
  ref: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
): Promise<ScheduleState | undefined> {
  const row = await stateRows(trx, ref).forUpdate().executeTakeFirst();
  return row && stateOf(row);
}

/** Stores the state; an older revision never replaces a newer one. */
export async function writeState(
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
  state: ScheduleState,
): Promise<void> {
  const { revision, nextAt, note, goodRun, goodAt, overdueSince, lookAt } = state;
  const row = {
    revision,
    next_at: nextAt,
    note,
    good_run: goodRun,
    good_at: goodAt,
    overdue_since: overdueSince,
    look_at: lookAt,
  };
  await trx
    .insertInto('schedules')
    .values({ company, subject, scope, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['company', 'subject', 'scope'])
        .doUpdateSet(row)
        .whereRef('schedules.revision', '<=', 'excluded.revision'),
    )
    .execute();
}
