import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';
import { contentKey, type SimulatedContent } from '#shared/repricer/before-save.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { quoted } from '#shared/rules/sentences.ts';

/** So many contents are remembered for a catalogue, the newest: several of each of the rules it may have. */
const KEPT = 2000;

/** Keeps that this content of a rule was tried on so many offers. */
export async function keepSimulated(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  rule: RepricerRule,
  { author, now, offers }: { author: string; now: Date; offers: number },
): Promise<void> {
  await pg`insert into repricer_simulations (company, master, rule, content, author, simulated_at, offers)
    values (${company}, ${masterid}, ${rule.id}, ${contentKey(rule)}, ${author}, ${now.toISOString()}::timestamptz, ${offers})
    on conflict (company, master, rule, content) do update
      set author = excluded.author, simulated_at = excluded.simulated_at, offers = excluded.offers`.execute(trx);
  await pg`delete from repricer_simulations where company = ${company} and master = ${masterid} and simulated_at < (
    select simulated_at from repricer_simulations where company = ${company} and master = ${masterid}
    order by simulated_at desc offset ${KEPT - 1} limit 1)`.execute(trx);
}

export async function simulatedContents(trx: Trx, { company, masterid }: CatalogueRef): Promise<SimulatedContent[]> {
  const { rows } = await pg<{ rule: string; content: string; author: string; simulated_at: Date }>`
    select rule, content, author, simulated_at from repricer_simulations
    where company = ${company} and master = ${masterid} order by simulated_at desc`.execute(trx);
  return rows.map(({ simulated_at, ...row }) => ({ ...row, at: simulated_at.toISOString() }));
}

/** What the history says of a save that lets a rule run as nobody has tried it; undefined: somebody has, or it does not run. */
export async function untriedNote(
  trx: Trx,
  { company, masterid }: CatalogueRef,
  before: RepricerRule | undefined,
  after: RepricerRule,
): Promise<string | undefined> {
  const content = contentKey(after);
  const ran = before?.active === true;
  if (!after.active || (ran && contentKey(before) === content)) return undefined;
  const { rows } = await pg`select 1 from repricer_simulations where company = ${company} and master = ${masterid}
    and rule = ${after.id} and content = ${content}`.execute(trx);
  if (rows.length > 0) return undefined;
  return `Repricing-Regel ${quoted(after.name)}: ${ran ? 'läuft in einer Fassung, die nicht simuliert wurde' : 'aktiviert, ohne dass diese Fassung simuliert wurde'}`;
}
