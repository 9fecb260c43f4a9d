import type { Database, Trx } from '#platform/db/database.ts';
import type { RepricerSwitches } from '#shared/repricer/state.ts';

/** The current state of every switch that can keep a price from being sent. */
export type Switches = RepricerSwitches & { company_stopped: boolean; system_stopped: boolean };

/** Defaults of a master never switched: the add-on is on (its rules begin paused), nothing is stopped. */
const never: RepricerSwitches = { active: true, dry_run: false, stopped: false };

export async function loadSwitches(trx: Trx, company: string, masterid: string): Promise<Switches> {
  const switches = await trx
    .selectFrom('repricer_states')
    .select(['active', 'dry_run', 'stopped'])
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirst();
  const stops = await trx.selectFrom('price_stops').select('company').where('company', 'in', [company, '*']).execute();
  return {
    ...(switches ?? never),
    company_stopped: stops.some((stop) => stop.company === company),
    system_stopped: stops.some((stop) => stop.company === '*'),
  };
}

/**
 * Returns a master's own switches, locked until the transaction ends, so that nobody presses stop between the check of a change
 * and the change.
 */
export async function holdSwitches(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  author: string,
): Promise<RepricerSwitches> {
  await trx
    .insertInto('repricer_states')
    .values({ company, master: masterid, ...never, author })
    .onConflict((conflict) => conflict.columns(['company', 'master']).doNothing())
    .execute();
  return trx
    .selectFrom('repricer_states')
    .select(['active', 'dry_run', 'stopped'])
    .where((eb) => eb.and({ company, master: masterid }))
    .forUpdate()
    .executeTakeFirstOrThrow();
}

type Change = { [K in keyof RepricerSwitches]?: boolean | undefined };

/** Returns whether a change releases prices that were held before. */
export const releasesPrices = (before: RepricerSwitches, { active, dry_run, stopped }: Change): boolean =>
  (active === true && !before.active) || (dry_run === false && before.dry_run) || (stopped === false && before.stopped);

export async function saveSwitches(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  change: Change,
  author: string,
): Promise<void> {
  // Only the changed switch is written: a concurrent change of another switch must not lift a stop that its author has not seen.
  const { active, dry_run, stopped } = change;
  await trx
    .insertInto('repricer_states')
    .values({
      company,
      master: masterid,
      active: active ?? never.active,
      dry_run: dry_run ?? never.dry_run,
      stopped: stopped ?? never.stopped,
      author,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company', 'master'])
        .doUpdateSet((eb) => ({ active, dry_run, stopped, author, changed_at: eb.fn<Date>('now') })),
    )
    .execute();
}

/** Stops the sending of all prices of a company, or resumes it. `company` '*' in a system transaction: of all companies. */
export async function setStop(trx: Trx, company: string, stopped: boolean, reason: string): Promise<void> {
  if (stopped) {
    await trx
      .insertInto('price_stops')
      .values({ company, reason })
      .onConflict((conflict) => conflict.column('company').doNothing())
      .execute();
  } else await trx.deleteFrom('price_stops').where('company', '=', company).execute();
}

/** Applies the operator's stop of all prices as this start requests it, before anything can be sent. */
export async function operatorStop(database: Database, stopped: boolean | undefined): Promise<void> {
  if (stopped === undefined) return;
  await database.system((trx) => setStop(trx, '*', stopped, 'Vom Betreiber angehalten (KONTOR_PRICE_STOP).'));
}

/** Records that a user has confirmed strongly changed limits: this version of them no longer holds prices. */
export async function confirmLimits(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  { version, author }: { version: string; author: string },
): Promise<void> {
  await saveSwitches(trx, { company, masterid }, {}, author);
  await trx
    .updateTable('repricer_states')
    .set({ limits_confirmed: version, limits_review: '' })
    .where((eb) => eb.and({ company, master: masterid }))
    .execute();
}

/** Returns the version of the limits that a user confirmed last. */
export async function confirmedLimits(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
): Promise<string | undefined> {
  const state = await trx
    .selectFrom('repricer_states')
    .select('limits_confirmed')
    .where((eb) => eb.and({ company, master: masterid }))
    .executeTakeFirst();
  return state?.limits_confirmed;
}
