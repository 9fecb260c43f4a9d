import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { RepricerSwitches } from '#shared/repricer/state.ts';

/** Every switch that can keep a price from going out, as it stands now. */
export type Switches = RepricerSwitches & { company_stopped: boolean; system_stopped: boolean };

/** A master that was never switched: the add-on is on (its rules begin paused), nothing is stopped. */
const never: RepricerSwitches = { active: true, dry_run: false, stopped: false };

export async function loadSwitches(trx: Trx, company: string, masterid: string): Promise<Switches> {
  const { rows } = await pg<RepricerSwitches>`
    select active, dry_run, stopped from repricer_states where company = ${company} and master = ${masterid}`.execute(
    trx,
  );
  const { rows: stops } = await pg<{ company: string }>`
    select company from price_stops where company in (${company}, '*')`.execute(trx);
  return {
    ...(rows[0] ?? never),
    company_stopped: stops.some((stop) => stop.company === company),
    system_stopped: stops.some((stop) => stop.company === '*'),
  };
}

export async function saveSwitches(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
  change: { [K in keyof RepricerSwitches]?: boolean | undefined },
  author: string,
): Promise<void> {
  // Only what is asked for is written: whoever changes another switch at the same moment must not lift a stop that he has not seen.
  const given = (value: boolean | undefined) => pg`${value ?? null}::boolean`;
  const { active, dry_run, stopped } = change;
  await pg`insert into repricer_states as s (company, master, active, dry_run, stopped, author)
    values (${company}, ${masterid}, ${active ?? never.active}, ${dry_run ?? never.dry_run}, ${stopped ?? never.stopped}, ${author})
    on conflict (company, master) do update set active = coalesce(${given(active)}, s.active),
      dry_run = coalesce(${given(dry_run)}, s.dry_run), stopped = coalesce(${given(stopped)}, s.stopped),
      author = excluded.author, changed_at = now()`.execute(trx);
}

/** Stops the sending of every price of a company, or lets it go on. `company` '*' in a system transaction: of everybody. */
export async function setStop(trx: Trx, company: string, stopped: boolean, reason: string): Promise<void> {
  if (stopped) {
    await pg`insert into price_stops (company, reason) values (${company}, ${reason})
      on conflict (company) do nothing`.execute(trx);
  } else await pg`delete from price_stops where company = ${company}`.execute(trx);
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
  await pg`update repricer_states set limits_confirmed = ${version}
    where company = ${company} and master = ${masterid}`.execute(trx);
}

/** The version of limits that somebody has looked at last. */
export async function confirmedLimits(
  trx: Trx,
  { company, masterid }: { company: string; masterid: string },
): Promise<string | undefined> {
  const { rows } = await pg<{ limits_confirmed: string }>`select limits_confirmed from repricer_states
    where company = ${company} and master = ${masterid}`.execute(trx);
  return rows[0]?.limits_confirmed;
}
