import type { Vault } from './vault.ts';
import type { Trx } from '#platform/db/database.ts';

type Place = { company: string; place: string };

/** Keeps a password or key under a place of the company; the place is bound into the seal (T17). */
export async function keepSecret(trx: Trx, vault: Vault, { company, place }: Place, text: string): Promise<void> {
  const sealed = vault.seal(company, place, text);
  await trx
    .insertInto('secrets')
    .values({ company, place, sealed })
    .onConflict((conflict) =>
      conflict.columns(['company', 'place']).doUpdateSet((eb) => ({ sealed, created_at: eb.fn<Date>('now') })),
    )
    .execute();
}

/** The secret kept there; undefined if there is none. */
export async function readSecret(trx: Trx, vault: Vault, { company, place }: Place): Promise<string | undefined> {
  const kept = await trx
    .selectFrom('secrets')
    .select('sealed')
    .where('company', '=', company)
    .where('place', '=', place)
    .executeTakeFirst();
  return kept && vault.open(company, place, kept.sealed);
}

/** Nothing is kept there any more. */
export async function removeSecret(trx: Trx, { company, place }: Place): Promise<void> {
  await trx.deleteFrom('secrets').where('company', '=', company).where('place', '=', place).execute();
}
