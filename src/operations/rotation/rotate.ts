import type { Clock } from '#platform/clock.ts';
import { type Anchor, anchorMark, anchorsOf, type Chain, chains } from '#platform/crypto/chain-keys.ts';
import { secretFingerprint } from '#platform/crypto/install-secret.ts';
import { formerKeyPlace } from '#platform/crypto/installation-keys.ts';
import { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { reencryptAll, type Reencrypted, type SealedPlaces } from './reencrypt.ts';

type RotationDeps = { database: Database; clock: Clock; places: SealedPlaces };

/**
 * Replaces the installation's secret: encrypts all values again, stores the former secret encrypted with the next one, and
 * anchors the audit chains at their ends. If it was killed, it continues when called again with the same secrets.
 * @param secrets.old undefined: it is lost. Then values encrypted with it stay unreadable, and marks made with it cannot be
 * verified.
 * @returns undefined if `next` is in force already
 * @throws with a German text if `old` is not the one in force, or another rotation is in progress
 */
export async function rotateSecret(
  deps: RotationDeps,
  secrets: { old: string | undefined; next: string },
): Promise<Reencrypted | undefined> {
  const number = await begin(deps, secrets);
  if (number === undefined) return undefined;
  const vaults = { old: secrets.old === undefined ? undefined : new Vault(secrets.old), next: new Vault(secrets.next) };
  const done = await reencryptAll(deps.database, vaults, deps.places);
  for (const chain of chains) await anchorChains(deps.database, chain, number, vaults);
  await finish(deps, number, vaults, secrets.old ?? '');
  return done;
}

/** Records that the rotation has begun; from then on no program starts. Returns the number of the secret that is replaced. */
async function begin(
  { database, clock }: RotationDeps,
  { old, next }: { old: string | undefined; next: string },
): Promise<number | undefined> {
  const keys = await database.kysely.selectFrom('installation_keys').select(['number', 'mark', 'state']).execute();
  const mark = secretFingerprint(next);
  const current = keys.find(({ state }) => state === 'current');
  if (current === undefined)
    throw new Error('Diese Installation wurde noch nie gestartet; ihr Geheimnis kann ohne Wechsel gesetzt werden.');
  if (current.mark === mark) return undefined;
  if (old !== undefined && secretFingerprint(old) !== current.mark)
    throw new Error(
      'Das bisherige Geheimnis ist nicht das, mit dem diese Datenbank verschlüsselt ist. Es wurde nichts geändert.',
    );
  const pendingKey = keys.find(({ state }) => state === 'next');
  if (pendingKey?.mark === mark) return current.number;
  if (pendingKey !== undefined)
    throw new Error('Ein Wechsel zu einem anderen Geheimnis ist nicht zu Ende. Bitte setzen Sie jenes wieder ein.');
  if (keys.some((key) => key.mark === mark))
    throw new Error('Dieses Geheimnis galt hier schon einmal. Bitte nehmen Sie ein neues.');
  const number = Math.max(...keys.map((key) => key.number)) + 1;
  await database.kysely
    .insertInto('installation_keys')
    .values({ number, mark, state: 'next', since: clock.now() })
    .execute();
  return current.number;
}

/** Stores the ends of all companies' chains, marked with the next secret; older anchors are marked with it as well. */
async function anchorChains(database: Database, chain: Chain, key: number, vaults: { next: Vault }): Promise<void> {
  const companies = await database.system((trx) => companiesOf(trx, chain));
  for (const company of companies)
    await database.company(company, async (trx) => {
      const older = (await anchorsOf(trx, company, chain)).filter((anchor) => anchor.key !== key);
      const end = { key, ...(await endOf(trx, company, chain)) };
      for (const { key, number, hash, pruned } of [...older, end])
        await putAnchor(trx, company, chain, { key, number, hash, pruned }, vaults.next);
    });
}

async function putAnchor(trx: Trx, company: string, chain: Chain, anchor: Anchor, vault: Vault): Promise<void> {
  const mark = anchorMark(vault, company, chain, anchor);
  const { key, ...values } = anchor;
  await trx
    .insertInto(chain)
    .values({ company, key, ...values, mark })
    .onConflict((conflict) => conflict.columns(['company', 'key']).doUpdateSet({ ...values, mark }))
    .execute();
}

const links = { decision_anchors: 'decision_seals', security_anchors: 'security_log_heads' } as const;

async function companiesOf(trx: Trx, chain: Chain): Promise<string[]> {
  const rows = await trx.selectFrom(links[chain]).select('company').distinct().execute();
  return rows.map(({ company }) => company);
}

async function endOf(trx: Trx, company: string, chain: Chain): Promise<Omit<Anchor, 'key'>> {
  const last = await trx
    .selectFrom(links[chain])
    .select(['number', 'hash'])
    .where('company', '=', company)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  if (chain === 'decision_anchors') return { ...last, pruned: 0 };
  const pruned = await trx
    .selectFrom('security_checkpoints')
    .select((eb) => eb.fn.max<number | null>('number').as('number'))
    .where('company', '=', company)
    .executeTakeFirst();
  return { ...last, pruned: pruned?.number ?? 0 };
}

/** Puts the next secret in force; the former ones are stored encrypted with it. */
async function finish(
  { database, clock }: RotationDeps,
  number: number,
  { old, next }: { old: Vault | undefined; next: Vault },
  secret: string,
): Promise<void> {
  await database.kysely.transaction().execute(async (trx) => {
    const former = await trx
      .selectFrom('installation_keys')
      .select(['number', 'sealed'])
      .where('state', '=', 'former')
      .execute();
    for (const row of former) {
      const text = old?.open(...formerKeyPlace(row.number), row.sealed) ?? '';
      const sealed = next.seal(...formerKeyPlace(row.number), text);
      await trx.updateTable('installation_keys').set({ sealed }).where('number', '=', row.number).execute();
    }
    await trx
      .updateTable('installation_keys')
      .set({ state: 'former', sealed: next.seal(...formerKeyPlace(number), secret) })
      .where('number', '=', number)
      .execute();
    await trx
      .updateTable('installation_keys')
      .set({ state: 'current', since: clock.now() })
      .where('state', '=', 'next')
      .execute();
  });
}
