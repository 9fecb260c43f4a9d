import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { Trx } from '#platform/db/database.ts';
import { contentKey, type SimulatedContent } from '#shared/repricer/before-save.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { quoted } from '#shared/rules/sentences.ts';

/** Maximum number of simulated contents stored for a catalogue, the newest: several for each rule it may have. */
const KEPT = 2000;

/** Records that this content of a rule was simulated, and on how many offers. */
export async function saveSimulated(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  rule: RepricerRule,
  { author, now, offers }: { author: string; now: Date; offers: number },
): Promise<void> {
  const tried = { author, simulated_at: now, offers };
  await trx
    .insertInto('repricer_simulations')
    .values({ company, master: masterid, rule: rule.id, content: contentKey(rule), ...tried })
    .onConflict((conflict) => conflict.columns(['company', 'master', 'rule', 'content']).doUpdateSet(tried))
    .execute();
  await trx
    .deleteFrom('repricer_simulations')
    .where((eb) => eb.and({ company, master: masterid }))
    .where('simulated_at', '<', (eb) =>
      eb
        .selectFrom('repricer_simulations as s')
        .select('s.simulated_at')
        .where((row) => row.and({ 's.company': company, 's.master': masterid }))
        .orderBy('s.simulated_at', 'desc')
        .offset(KEPT - 1)
        .limit(1),
    )
    .execute();
}

export async function simulatedContents(trx: Trx, { company, masterid }: CatalogueRef): Promise<SimulatedContent[]> {
  const rows = await trx
    .selectFrom('repricer_simulations')
    .select(['rule', 'content', 'author', 'simulated_at', 'offers'])
    .where((eb) => eb.and({ company, master: masterid }))
    .orderBy('simulated_at', 'desc')
    .execute();
  return rows.map(({ simulated_at, ...row }) => ({ ...row, at: simulated_at.toISOString() }));
}

/**
 * Returns the history's note on a save after which a rule runs with content that was never simulated; undefined if it was
 * simulated, or the rule does not run.
 */
export async function untriedNote(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  before: RepricerRule | undefined,
  after: RepricerRule,
): Promise<string | undefined> {
  const content = contentKey(after);
  const ran = before?.active === true;
  if (!after.active || (ran && contentKey(before) === content)) return undefined;
  const tried = await trx
    .selectFrom('repricer_simulations')
    .select('rule')
    .where((eb) => eb.and({ company, master: masterid, rule: after.id, content }))
    .executeTakeFirst();
  if (tried) return undefined;
  return `Repricing-Regel ${quoted(after.name)}: ${ran ? 'läuft in einer Fassung, die nicht simuliert wurde' : 'aktiviert, ohne dass diese Fassung simuliert wurde'}`;
}
