import { pg } from '#platform/db/pg.ts';
import type { Clock } from '#platform/clock.ts';
import { chainKeys } from '#platform/crypto/chain-keys.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { addNotification } from '#notifications/notifications.ts';
import { KontorError } from '#platform/errors.ts';
import { ARCHIVE_DAMAGED } from '#repricer/archive/archive-file.ts';
import { sealContents, type SealDeps } from '#repricer/archive/archived-seals.ts';
import { type SealedContent, storedContent } from './sealed-content.ts';

/**
 * The hash chain over the records of decisions. The database refuses to change a record; someone who bypasses that (its
 * administrator) cannot compute a matching seal, since the key is not in the database and every seal includes the one before it.
 */
type HashChainDeps = { database: Database; vault: Vault; clock: Clock };

/** The most decisions under one seal; they are read at once. */
const UNDER_A_SEAL = 2000;
/** Old seals checked again in one night: four million decisions. */
const AGAIN_A_NIGHT = 2000;
/** Seals of a company per poll, so that a large backlog does not keep others waiting. */
const AT_A_TURN = 50;

export type Seal = { number: number; from: number; to: number; decisions: number; hash: string };
const none: Seal = { number: 0, from: 0, to: 0, decisions: 0, hash: '' };

/** Seals the decisions made since the last seal; returns the number of seals. A failure in one company does not affect others. */
export async function extendHashChain(deps: HashChainDeps & { log: Log }): Promise<number> {
  const heads = await deps.database.system(newestDecisions);
  let made = 0;
  for (const [company, head] of heads) {
    try {
      for (let round = 0; round < AT_A_TURN; round++) {
        const sealed = await deps.database.company(company, (trx) => sealNext(trx, deps, company, head));
        if (!sealed) break;
        made++;
      }
    } catch (error) {
      deps.log.error({ err: error, company }, 'the hash chain of a company could not be extended');
    }
  }
  return made;
}

/**
 * Returns per company the latest decision below which no more can appear: ids are assigned before rows are visible, but holding
 * this lock proves that no transaction is still writing. Includes companies that no longer sell: they have decisions all the
 * same.
 */
async function newestDecisions(trx: Trx): Promise<Map<string, number>> {
  await pg`set local lock_timeout = '2s'`.execute(trx);
  await pg`lock table price_decisions in share mode`.execute(trx);
  // Lateral over a union, so that the latest of each company is found by the index.
  const { rows } = await pg<{ company: string; head: number }>`select a.company, d.head
    from (select company from masters union select company from marketplace_accounts) a
    cross join lateral (select max(id) as head from price_decisions d where d.company = a.company) d
    where d.head is not null and d.head > coalesce(
      (select s.to_id from decision_seals s where s.company = a.company order by s.number desc limit 1), 0)`.execute(
    trx,
  );
  return new Map(rows.map(({ company, head }) => [company, head]));
}

async function sealNext(trx: Trx, { vault, clock }: HashChainDeps, company: string, head: number): Promise<boolean> {
  const last = await lastSeal(trx, company);
  const found = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('price_decisions')
        .select('id')
        .where('company', '=', company)
        .where('id', '>', last.to)
        .where('id', '<=', head)
        .orderBy('id')
        .limit(UNDER_A_SEAL)
        .as('d'),
    )
    .select((eb) => eb.fn.max<number | null>('d.id').as('to'))
    .executeTakeFirst();
  const to = found?.to;
  if (to === null || to === undefined) return false;
  const content = await storedContent(trx, company, { from: last.to, to });
  const seal = { number: last.number + 1, from: last.to, to, decisions: content.decisions };
  const hash = markOf(vault, company, { ...seal, before: last.hash, content: content.hash });
  // If two processes run at once, one of them makes the seal.
  const inserted = await trx
    .insertInto('decision_seals')
    .values({
      company,
      number: seal.number,
      from_id: seal.from,
      to_id: seal.to,
      decisions: seal.decisions,
      hash,
      sealed_at: clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

type Marked = Omit<Seal, 'hash'> & { before: string; content: string };
const markOf = (vault: Vault, company: string, { number, from, to, decisions, before, content }: Marked): string =>
  vault.mark(company, [company, number, from, to, decisions, before, content].join('\n'));

export const sealsOf = (trx: Trx, company: string) =>
  trx
    .selectFrom('decision_seals')
    .select(['number', 'from_id as from', 'to_id as to', 'decisions', 'hash'])
    .where('company', '=', company);

const lastSeal = async (trx: Trx, company: string): Promise<Seal> =>
  (await sealsOf(trx, company).orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? none;

type CheckRange = { after?: number; most?: number; seen?: (seal: Seal, content: SealedContent) => void };

/**
 * Checks the hash chain of a company after seal `after`, at most `most` seals. `broken` undefined: every record is as it was
 * sealed; else a German text that says where the chain breaks. `seals`: the last valid one. `seen` receives each valid seal with
 * its content.
 */
export async function brokenSeal(
  deps: SealDeps & Pick<HashChainDeps, 'vault'>,
  company: string,
  signal: AbortSignal,
  { after = 0, most = Number.MAX_SAFE_INTEGER, seen }: CheckRange = {},
): Promise<{ seals: number; broken: string | undefined }> {
  const contents = sealContents(deps, company, signal);
  const inside = <T>(work: (trx: Trx) => Promise<T>) => deps.database.company(company, work);
  const keys = await chainKeys(deps, company, 'decision_anchors');
  if (keys === undefined) return { seals: 0, broken: 'Das Siegel vom Wechsel des Geheimnisses ist verändert.' };
  const start = after === 0 ? none : await inside((trx) => sealOf(trx, company, after));
  if (start === undefined) return { seals: 0, broken: `Siegel ${after}, das schon geprüft war, ist nicht mehr da.` };
  let last = start;
  for (;;) {
    signal.throwIfAborted();
    const upTo = Math.min(last.number + 100, after + most);
    const seals = await inside((trx) =>
      sealsOf(trx, company)
        .where('number', '>', last.number)
        .orderBy('number')
        .limit(upTo - last.number)
        .execute(),
    );
    if (seals.length === 0) return { seals: last.number, broken: missingSeals(last.number, upTo, keys.least) };
    for (const seal of seals) {
      signal.throwIfAborted();
      const follows = seal.number === last.number + 1 && seal.from === last.to;
      const content = await contents(seal).catch(damagedText);
      if (typeof content === 'string') return { seals: last.number, broken: `${whereOf(seal)}: ${content}` };
      const marked = { ...seal, before: last.hash, content: content.hash };
      const fits = keys.fits(seal, (vault) => markOf(vault, company, marked));
      if (!follows || content.decisions !== seal.decisions || !fits)
        return { seals: last.number, broken: brokenText(seal, follows, content.decisions) };
      seen?.(seal, content);
      last = seal;
    }
  }
}

/**
 * Returns a text if seals are missing at the end: at least `least` existed; a check that ends at `upTo` says nothing of later
 * ones.
 */
const missingSeals = (last: number, upTo: number, least: number): string | undefined =>
  last < Math.min(upTo, least) ? `Nach Siegel ${last} fehlen Siegel.` : undefined;

const sealOf = (trx: Trx, company: string, number: number): Promise<Seal | undefined> =>
  sealsOf(trx, company).where('number', '=', number).executeTakeFirst();

/**
 * Returns the text of a damaged archive, which breaks the chain like an altered record. @throws other errors, such as an
 * unavailable store
 */
function damagedText(error: unknown): string {
  if (error instanceof KontorError && error.code === ARCHIVE_DAMAGED) return error.message;
  throw error;
}

const whereOf = ({ number, from, to }: Seal): string => `Siegel ${number} (Preisentscheidungen ${from + 1} bis ${to})`;

function brokenText(seal: Seal, follows: boolean, counted: number): string {
  const { decisions } = seal;
  const where = whereOf(seal);
  if (!follows) return `${where}: Davor fehlt ein Siegel.`;
  if (counted !== decisions) return `${where}: Es sind ${counted} statt ${decisions} Entscheidungen gespeichert.`;
  return `${where}: Der Inhalt ist nicht mehr der, der versiegelt wurde.`;
}

/**
 * Nightly: checks the seals made since the last check and some older ones, so that all are checked again in rotation; stores the
 * result and notifies people where the chain breaks.
 */
export async function verifyHashChain(
  deps: HashChainDeps & SealDeps & { log: Log },
  company: string,
  signal: AbortSignal,
): Promise<void> {
  const now = deps.clock.now();
  const before = await deps.database.company(company, (trx) => lastAudit(trx, company));
  const known = before?.seals ?? 0;
  const round = before === undefined || before.lookedAgain >= known ? 0 : before.lookedAgain;
  const most = Math.min(AGAIN_A_NIGHT, known - round);
  const old = await brokenSeal(deps, company, signal, { after: round, most });
  const found = old.broken === undefined ? await brokenSeal(deps, company, signal, { after: known }) : old;
  if (found.seals === 0 && found.broken === undefined && before === undefined) return;
  const text = found.broken ?? '';
  await deps.database.company(company, async (trx) => {
    const audit = { verified_at: now, seals: found.seals, broken: text, looked_again: old.seals };
    await trx
      .insertInto('decision_audits')
      .values({ company, ...audit })
      .onConflict((conflict) => conflict.column('company').doUpdateSet(audit))
      .execute();
    if (text === '' || text === before?.broken) return;
    deps.log.error({ company, broken: text }, 'records of price decisions were changed');
    await addNotification(trx, company, {
      id: `decisions-${company}-${now.toISOString()}`,
      event: 'failed',
      title: 'Aufzeichnung der Preisentscheidungen verändert',
      text: `${text} Gespeicherte Entscheidungen wurden außerhalb von Kontor verändert, oder das Geheimnis der Installation ist ein anderes. Bitte lassen Sie die Datenbank prüfen und eine Sicherung vergleichen.`,
      path: '/',
    });
  });
}

export type Audit = { verifiedAt: Date; seals: number; broken: string; lookedAgain: number };

export function lastAudit(trx: Trx, company: string): Promise<Audit | undefined> {
  return trx
    .selectFrom('decision_audits')
    .select(['verified_at as verifiedAt', 'seals', 'broken', 'looked_again as lookedAgain'])
    .where('company', '=', company)
    .executeTakeFirst();
}
