import { z } from 'zod';
import type { Row } from '#platform/db/row.ts';
import type { InferResult } from 'kysely';
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

const stateRows = (
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
) =>
  trx
    .selectFrom('schedules')
    .select(['revision as known', 'next_at', 'note', 'good_run', 'good_at', 'overdue_since'])
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
      };

export const settingsOf = (body: string | undefined): ScheduleSettings =>
  ScheduleSettings.parse(body === undefined ? {} : JSON.parse(body));

/** A schedule as screens show it. */
export async function loadSchedule(trx: Trx, ref: SchedulePlace, now: Date): Promise<Schedule> {
  const { company, subject, scope } = ref;
  const { body, revision } = await loadDocument(trx, company, subject, scope);
  const settings = settingsOf(body);
  const state = await stateAt(trx, ref);
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

const Subject = z.object({ subject: z.enum(['schedule', 'stock_schedule']) });

/** Every schedule of all companies, but of what lies in the trash, with its state, its newest successful run and whether one is under way; for the dispatcher, in a system transaction. */
export async function allSchedules(trx: Trx): Promise<
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
  // The newest revision of each, the newest run of each: as two lateral joins the builder would hide what is asked.
  const { rows } = await pg<Found & { done: string | null; busy: boolean }>`
    select d.company, d.subject, d.scope, d.revision, d.body, s.revision as known, s.next_at, s.note, s.good_run, s.good_at,
      s.overdue_since, g.id as done, exists (select 1 from jobs j where j.company = d.company and j.subject = d.jobs
        and j.state in ('queued', 'running')) as busy
    from (select distinct on (company, subject, scope) company, subject, scope, revision, body,
        case subject when 'stock_schedule' then replace(scope, 'export:', 'stock:') else scope end as jobs
      from documents d where subject in ('schedule', 'stock_schedule')
        and (exists (select 1 from masters m where m.company = d.company and 'master:' || m.id = d.scope)
          or exists (select 1 from exports e where e.company = d.company and 'export:' || e.id = d.scope)) order by company, subject, scope, revision desc) d
    left join schedules s on s.company = d.company and s.subject = d.subject and s.scope = d.scope
    left join lateral (select j.id from jobs j where j.company = d.company and j.state = 'done'
      and j.subject = d.jobs order by j.created_at desc limit 1) g on true`.execute(trx);
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

/** The state under a lock: whoever holds it decides alone, in this transaction, what is started. */
export async function lockState(
  trx: Trx,
  ref: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
): Promise<ScheduleState | undefined> {
  const row = await stateRows(trx, ref).forUpdate().executeTakeFirst();
  return row && stateOf(row);
}

/** Writes the state down; an older revision never takes the place of a newer one. */
export async function writeState(
  trx: Trx,
  { company, subject, scope }: Pick<SchedulePlace, 'company' | 'scope'> & { subject: string },
  state: ScheduleState,
): Promise<void> {
  const { revision, nextAt, note, goodRun, goodAt, overdueSince } = state;
  const row = {
    revision,
    next_at: nextAt,
    note,
    good_run: goodRun,
    good_at: goodAt,
    overdue_since: overdueSince,
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
