import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { fieldsOfRules, runningRules } from '#repricer/decide/decide-listing.ts';
import { basisOf, limitsIn, limitsOfAll, versionOf, type Limits } from '#repricer/model/pricing-inputs-version.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { enqueue } from './queue.ts';

type Deps = {
  database: Database;
  clock: Clock;
  fields: MaterialisedFieldSource;
  log: Log;
  program: string;
};

/** Everything that decides the prices of a catalogue, except offers and switches. */
type Noticed = { limits: Limits; values: string | undefined; program: string };

const keyOf = ({ company, masterid }: CatalogueRef) => `${company}/${masterid}`;

/**
 * Queues all prices of a catalogue when its snapshot, rules or mappings have changed; new offers queue only their own items. The
 * noticed state is stored in the database: a process that starts, or one of several, decides nothing that another has decided
 * already. A new version of the program decides all prices once.
 */
export class CatalogueChanges {
  private readonly deps: Deps;
  private noticed: Map<string, Noticed> | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  async look(): Promise<void> {
    const { database, fields, log, program } = this.deps;
    const noticed = (this.noticed ??= await database.system(allNoticed));
    for (const { ref, limits } of await database.system(limitsOfAll)) {
      const before = noticed.get(keyOf(ref));
      // Fields that could not be computed are tried again when an item needs them.
      const again = fields.mayTryAgain(ref);
      if (before !== undefined && isSame(before, { limits, program }) && !again) continue;
      try {
        const now: Noticed = { limits, values: await this.valuesAt(ref, limits), program };
        await this.notice(ref, { before, now, again });
        // Last, so that after a failure the change is noticed again at the next check.
        noticed.set(keyOf(ref), now);
      } catch (error) {
        // A failure must not stop the check of other catalogues.
        log.error({ err: error, ...ref }, 'changes of a catalogue could not be checked');
      }
    }
  }

  private async notice(
    ref: CatalogueRef,
    { before, now, again }: { before: Noticed | undefined; now: Noticed; again: boolean },
  ): Promise<void> {
    await this.deps.database.company(ref.company, async (trx) => {
      const first = await keep(trx, ref, now);
      const needless = before !== undefined && isUnaffected(before, now);
      if (again || (first && !needless)) await enqueue(trx, ref, { cause: 'catalogue', now: this.deps.clock.now() });
    });
  }

  /**
   * Returns a key of the values of the fields that the rules read, equal while they are equal; undefined if they cannot be read.
   */
  private async valuesAt(ref: CatalogueRef, limits: Limits): Promise<string | undefined> {
    const { database, fields } = this.deps;
    const basis = basisOf(limits);
    if (basis === undefined) return undefined;
    const { rules } = await database.company(ref.company, (trx) => loadRepricerRules(trx, ref, limits.repricer));
    const names = fieldsOfRules(runningRules(rules).map(({ rule }) => rule));
    return fields.identity(ref, basis, names).catch(() => undefined);
  }
}

const isSame = (before: Noticed, { limits, program }: Pick<Noticed, 'limits' | 'program'>): boolean =>
  versionOf(before.limits) === versionOf(limits) && before.program === program;

/**
 * Returns whether the change is a single save of a master's rule or mapping that changes no value: only prices waiting to be sent
 * are decided again, when they are due. After several saves, prices may have been decided under a state in between.
 */
function isUnaffected(before: Noticed, now: Noticed): boolean {
  const saves = now.limits.rules - before.limits.rules + (now.limits.mappings - before.limits.mappings);
  const same = before.limits.snapshot === now.limits.snapshot && before.limits.repricer === now.limits.repricer;
  const sameValues = now.values !== undefined && now.values === before.values;
  return same && saves === 1 && sameValues && now.program === before.program;
}

/**
 * Loads the noticed states. Runs in a system transaction. Fields that could not be read count as not noticed: a process that
 * starts tries them again.
 */
async function allNoticed(trx: Trx): Promise<Map<string, Noticed>> {
  const rows = await trx.selectFrom('noticed_catalogues').selectAll().where('field_values', 'is not', null).execute();
  return new Map(
    rows.map(({ company, master, version, field_values: values, program }) => [
      keyOf({ company, masterid: master }),
      { limits: limitsIn(version), values: values ?? undefined, program },
    ]),
  );
}

/** Stores the noticed state; false if another process did so before. The row is locked until the transaction ends. */
async function keep(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  { limits, values, program }: Noticed,
): Promise<boolean> {
  const row = { company, master: masterid, version: versionOf(limits), field_values: values ?? null, program };
  const stored = await trx
    .insertInto('noticed_catalogues')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['company', 'master'])
        .doUpdateSet(row)
        .where((eb) =>
          eb.or([
            eb('noticed_catalogues.version', 'is distinct from', row.version),
            eb('noticed_catalogues.program', 'is distinct from', row.program),
            eb('noticed_catalogues.field_values', 'is', null),
          ]),
        ),
    )
    .returning('master')
    .executeTakeFirst();
  return stored !== undefined;
}
