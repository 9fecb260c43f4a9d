import type { Database, Trx } from '#platform/db/database.ts';
import type { RepricerSwitches } from '#shared/repricer/state.ts';

/** Every switch that can keep a price from going out, as it stands now. */
export type Switches = RepricerSwitches & { company_stopped: boolean; system_stopped: boolean };

/** A master that was never switched: the add-on is on (its rules begin paused), nothing is stopped. */
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
 * The same of a master alone, held until the transaction ends: nobody presses stop between the look at what a change lets go and the change.
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

/** Whether a change lets prices out that were held before it. */
export const letsGo = (before: RepricerSwitches, { active, dry_run, stopped }: Change): boolean =>
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

/** Stops the sending of every price of a company, or lets it go on. `company` '*' in a system transaction: of everybody. */
export async function setStop(trx: Trx, company: string, stopped: boolean, reason: string): Promise<void> {
  if (stopped) {
    await trx
      .insertInto('price_stops')
      .values({ company, reason })
      .onConflict((conflict) => conflict.column('company').doNothing())
      .execute();
  } else await trx.deleteFrom('price_stops').where('company', '=', company).execute();
}

/** Before anything can be sent: the operator's stop of all prices, as this start asks for it. */
export async function operatorStop(database: Database, stopped: boolean | undefined): Promise<void> {
  if (stopped === undefined) return;
  await database.system((trx) => setStop(trx, '*', stopped, 'Vom Betreiber angehalten (KONTOR_PRICE_STOP).'));
}

/** Somebody has looked at limits that moved strongly: as long as they are of this version they no longer hold prices. */
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

/** The version of limits that somebody has looked at last. */
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
