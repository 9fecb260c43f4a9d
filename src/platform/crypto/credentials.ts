import { z } from 'zod';
import type { Trx } from '#platform/db/database.ts';
import { type KontorError, unprocessable } from '#platform/errors.ts';
import type { Vault } from './vault.ts';

type Place = { company: string; place: string };

/** The receiver of a secret: everything that identifies it (host, port, user, protocol). Empty: the secret is sent nowhere. */
export type Receiver = Readonly<Record<string, string | number>>;

const nameOf = (receiver: Receiver): string =>
  JSON.stringify(
    Object.entries(receiver)
      .map(([part, value]) => [part, String(value).trim().toLowerCase()])
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );

/** The encrypted content: the secret and the receiver it was typed for, so that neither can be changed without the other. */
const Bound = z.strictObject({ bound: z.literal(1), receiver: z.string(), text: z.string() });

/** Stores a password or key under a place of the company, for this receiver only; the ciphertext is bound to the place (T17). */
export async function saveSecret(
  trx: Trx,
  vault: Vault,
  { company, place, receiver }: Place & { receiver: Receiver },
  text: string,
): Promise<void> {
  const bound: z.infer<typeof Bound> = { bound: 1, receiver: nameOf(receiver), text };
  const sealed = vault.seal(company, place, JSON.stringify(bound));
  await trx
    .insertInto('secrets')
    .values({ company, place, sealed })
    .onConflict((conflict) =>
      conflict.columns(['company', 'place']).doUpdateSet((eb) => ({ sealed, created_at: eb.fn<Date>('now') })),
    )
    .execute();
}

/** Whether a secret is stored there, for any receiver. */
export const hasSecret = async (trx: Trx, { company, place }: Place): Promise<boolean> =>
  (await sealedAt(trx, { company, place })) !== undefined;

/** Whether a secret is stored there that this receiver may get; one of older program versions names no receiver. */
export async function hasSecretFor(
  trx: Trx,
  vault: Vault,
  { company, place }: Place,
  receiver: Receiver,
): Promise<boolean> {
  const sealed = await sealedAt(trx, { company, place });
  if (sealed === undefined) return false;
  const bound = boundIn(vault.open(company, place, sealed));
  return bound === undefined || bound.receiver === nameOf(receiver);
}

/**
 * Returns the secret stored there for this receiver; undefined if there is none. `before`: the receiver in the current settings,
 * for which a secret of older program versions counts, as they stored no receiver. `field`: the form field where it is to be
 * typed again.
 * @throws 422 at that field if it was typed for another receiver
 */
export async function readSecret(
  trx: Trx,
  vault: Vault,
  { company, place }: Place,
  { receiver, before = receiver, field }: { receiver: Receiver; before?: Receiver; field?: string },
): Promise<string | undefined> {
  const sealed = await sealedAt(trx, { company, place });
  if (sealed === undefined) return undefined;
  const opened = vault.open(company, place, sealed);
  const bound = boundIn(opened) ?? { receiver: nameOf(before), text: opened };
  if (bound.receiver !== nameOf(receiver)) throw enterAgain(field === undefined ? [] : [field]);
  return bound.text;
}

/** Deletes the secret stored there. */
export async function removeSecret(trx: Trx, { company, place }: Place): Promise<void> {
  await trx.deleteFrom('secrets').where('company', '=', company).where('place', '=', place).execute();
}

/** The error for a stored secret that was typed for another receiver; reported at these fields. */
export const enterAgain = (fields: readonly string[]): KontorError =>
  unprocessable(
    'type_secret_again',
    'Server, Anschluss, Benutzer oder Verschlüsselung sind andere als die, für die das gespeicherte Passwort eingegeben wurde. Bitte geben Sie es dazu neu ein. Es wurde nichts gesendet.',
    fields.map((field) => ({
      field,
      message: 'Bitte neu eingeben: Das gespeicherte gilt für einen anderen Empfänger.',
    })),
  );

async function sealedAt(trx: Trx, { company, place }: Place): Promise<string | undefined> {
  const row = await trx
    .selectFrom('secrets')
    .select('sealed')
    .where('company', '=', company)
    .where('place', '=', place)
    .executeTakeFirst();
  return row?.sealed;
}

function boundIn(opened: string): z.infer<typeof Bound> | undefined {
  try {
    return Bound.safeParse(JSON.parse(opened)).data;
  } catch {
    return undefined;
  }
}
