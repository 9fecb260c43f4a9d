import type { Vault } from './vault.ts';
import { pg } from '#platform/db/pg.ts';
import type { Trx } from '#platform/db/database.ts';

type Place = { company: string; place: string };

/** Keeps a password or key under a place of the company; the place is bound into the seal (T17). */
export async function keepSecret(trx: Trx, vault: Vault, { company, place }: Place, text: string): Promise<void> {
  const sealed = vault.seal(company, place, text);
  await pg`insert into secrets (company, place, sealed) values (${company}, ${place}, ${sealed})
    on conflict (company, place) do update set sealed = excluded.sealed, created_at = now()`.execute(trx);
}

/** The secret kept there; undefined if there is none. */
export async function readSecret(trx: Trx, vault: Vault, { company, place }: Place): Promise<string | undefined> {
  const { rows } = await pg<{ sealed: string }>`
    select sealed from secrets where company = ${company} and place = ${place}`.execute(trx);
  return rows[0] && vault.open(company, place, rows[0].sealed);
}
