import { z } from 'zod';
import { removeTotp, totpPlace } from '#auth/totp.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';

/** Rows per transaction: few enough to be repeated after a kill. */
const AT_A_TIME = 500;

/** `old`: undefined if it is lost. */
export type Vaults = { readonly old: Vault | undefined; readonly next: Vault };
/** Number of values that the next secret decrypts now, and of those that no secret decrypts. */
export type Reencrypted = { sealed: number; unreadable: number };

/** The places under which other subjects encrypt their values. */
export type SealedPlaces = {
  readonly person: (order: { channel: string; order_id: string }, role: string) => string;
  readonly importAddress: (runid: string) => string;
};

type Place = readonly [company: string, place: string];
/** What to do with a value: write it again, leave it, or delete it because it can never be read. */
type Fate = { kind: 'write'; sealed: string; text: string } | { kind: 'stay' } | { kind: 'go' };

/**
 * Encrypts every value of the database with the next secret. Values that a killed run has done are skipped, so a second run
 * continues. No program may run meanwhile: it knows only one secret.
 */
export async function reencryptAll(database: Database, vaults: Vaults, places: SealedPlaces): Promise<Reencrypted> {
  const sealer = new Sealer(vaults);
  const inTurns = async <Key>(turn: (trx: Trx, after: Key | undefined) => Promise<Key | undefined>) => {
    let after: Key | undefined;
    do {
      const from: Key | undefined = after;
      after = await database.system((trx) => turn(trx, from));
    } while (after !== undefined);
  };
  await inTurns<SecretKey>((trx, after) => sealSecrets(trx, sealer, after));
  await inTurns<PersonKey>((trx, after) => sealPersons(trx, sealer, { next: vaults.next, places }, after));
  await inTurns<JobKey>((trx, after) => sealJobs(trx, sealer, places, after));
  await sealTotp(database, sealer);
  return sealer.done;
}

class Sealer {
  readonly done: Reencrypted = { sealed: 0, unreadable: 0 };
  private readonly vaults: Vaults;

  constructor(vaults: Vaults) {
    this.vaults = vaults;
  }

  fate([company, place]: Place, sealed: string): Fate {
    const { old, next } = this.vaults;
    const text = old === undefined ? undefined : opened(old, company, place, sealed);
    if (text === undefined && opened(next, company, place, sealed) === undefined) {
      this.done.unreadable++;
      return { kind: old === undefined ? 'go' : 'stay' };
    }
    this.done.sealed++;
    return text === undefined ? { kind: 'stay' } : { kind: 'write', text, sealed: next.seal(company, place, text) };
  }
}

function opened(vault: Vault, company: string, place: string, sealed: string): string | undefined {
  try {
    return vault.open(company, place, sealed);
  } catch {
    return undefined;
  }
}

type SecretKey = Pick<Tables['secrets'], 'company' | 'place'>;

async function sealSecrets(trx: Trx, sealer: Sealer, after: SecretKey | undefined): Promise<SecretKey | undefined> {
  const rows = await trx
    .selectFrom('secrets')
    .select(['company', 'place', 'sealed'])
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('company', 'place'), '>', eb.tuple(after?.company ?? '', after?.place ?? ''))),
    )
    .orderBy('company')
    .orderBy('place')
    .limit(AT_A_TIME)
    .execute();
  for (const { company, place, sealed } of rows) {
    const fate = sealer.fate([company, place], sealed);
    if (fate.kind === 'write')
      await trx
        .updateTable('secrets')
        .set({ sealed: fate.sealed })
        .where((eb) => eb.and({ company, place }))
        .execute();
    if (fate.kind === 'go')
      await trx
        .deleteFrom('secrets')
        .where((eb) => eb.and({ company, place }))
        .execute();
  }
  return rows.at(-1);
}

type PersonKey = Pick<Tables['order_persons'], 'company' | 'channel' | 'order_id' | 'role' | 'version'>;

/** The mark that detects a changed address depends on the secret too. */
async function sealPersons(
  trx: Trx,
  sealer: Sealer,
  { next, places }: { next: Vault; places: SealedPlaces },
  after: PersonKey | undefined,
): Promise<PersonKey | undefined> {
  const rows = await trx
    .selectFrom('order_persons')
    .select(['company', 'channel', 'order_id', 'role', 'version', 'sealed'])
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('company', 'channel', 'order_id', 'role', 'version'),
          '>',
          eb.tuple(
            eb.val(after?.company ?? ''),
            eb.val(after?.channel ?? ''),
            eb.val(after?.order_id ?? ''),
            eb.val(after?.role ?? 'buyer'),
            eb.val(after?.version ?? 0),
          ),
        ),
      ),
    )
    .orderBy('company')
    .orderBy('channel')
    .orderBy('order_id')
    .orderBy('role')
    .orderBy('version')
    .limit(AT_A_TIME)
    .execute();
  for (const { sealed, ...key } of rows) {
    const fate = sealer.fate([key.company, places.person(key, key.role)], sealed);
    if (fate.kind === 'write')
      await trx
        .updateTable('order_persons')
        .set({ sealed: fate.sealed, mark: next.mark(key.company, fate.text) })
        .where((eb) => eb.and(key))
        .execute();
    if (fate.kind === 'go')
      await trx
        .deleteFrom('order_persons')
        .where((eb) => eb.and(key))
        .execute();
  }
  return rows.at(-1);
}

type JobKey = Pick<Tables['jobs'], 'company' | 'id'>;
const Payload = z.looseObject({ sealedUrl: z.string() });

/** Encrypts addresses that imports were started with; they may contain a password. */
async function sealJobs(
  trx: Trx,
  sealer: Sealer,
  places: SealedPlaces,
  after: JobKey | undefined,
): Promise<JobKey | undefined> {
  const rows = await trx
    .selectFrom('jobs')
    .select(['company', 'id', 'payload'])
    .where('payload', 'like', '%"sealedUrl":%')
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('company', 'id'), '>', eb.tuple(after?.company ?? '', after?.id ?? ''))),
    )
    .orderBy('company')
    .orderBy('id')
    .limit(AT_A_TIME)
    .execute();
  for (const { company, id, payload } of rows) {
    const found = Payload.safeParse(JSON.parse(payload));
    if (!found.success) continue;
    const { sealedUrl, ...rest } = found.data;
    const fate = sealer.fate([company, places.importAddress(id)], sealedUrl);
    if (fate.kind === 'stay') continue;
    await trx
      .updateTable('jobs')
      .set({ payload: JSON.stringify(fate.kind === 'go' ? rest : { ...rest, sealedUrl: fate.sealed }) })
      .where((eb) => eb.and({ company, id }))
      .execute();
  }
  return rows.at(-1);
}

/** Secrets of authenticator apps belong to users, who are few, so all are read at once. */
async function sealTotp(database: Database, sealer: Sealer): Promise<void> {
  const rows = await database.kysely.selectFrom('totp_factors').select(['user_id', 'sealed']).execute();
  for (const { user_id, sealed } of rows) {
    const fate = sealer.fate(totpPlace(user_id), sealed);
    if (fate.kind === 'write')
      await database.kysely
        .updateTable('totp_factors')
        .set({ sealed: fate.sealed })
        .where('user_id', '=', user_id)
        .execute();
    if (fate.kind === 'go') await removeTotp(database, user_id);
  }
}
