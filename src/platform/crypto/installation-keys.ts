import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { readSecretFile, secretFile, secretFingerprint } from './install-secret.ts';

/** The place under which former secret `number` is encrypted with the current one; it belongs to no company. */
export const formerKeyPlace = (number: number) => ['', `former secret ${number}`] as const;

/** Refuses to make a secret for data that another one has encrypted: its file is missing, for instance after a restore. */
export async function requireSecretFile(database: Database, folder: string): Promise<void> {
  if (readSecretFile(secretFile(folder)) !== undefined) return;
  const known = await database.kysely
    .selectFrom('installation_keys')
    .select('number')
    .where('state', '=', 'current')
    .executeTakeFirst();
  if (known === undefined) return;
  throw new Error(
    `Die Datei „geheimnis“ fehlt in ${folder}. Mit ihrem Inhalt sind die Passwörter und Kundendaten dieser Datenbank verschlüsselt. Bitte legen Sie sie wieder dorthin, oder setzen Sie KONTOR_SECRET. Ist das Geheimnis verloren: „npm run rotate-secret -- --lost“.`,
  );
}

/**
 * Refuses to start with another secret than the one that encrypted this database's passwords and personal data: they could not
 * be read, and data encrypted meanwhile could not be read later. The first start stores the secret's fingerprint.
 */
export async function requireCurrentSecret(
  { database, clock }: { database: Database; clock: Clock },
  secret: string,
): Promise<void> {
  const mark = secretFingerprint(secret);
  await database.kysely
    .insertInto('installation_keys')
    .values({ number: 1, mark, state: 'current', since: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await database.kysely.selectFrom('installation_keys').select(['mark', 'state']).execute();
  if (known.some(({ state }) => state === 'next'))
    throw new Error(
      'Ein Wechsel des Geheimnisses ist nicht zu Ende gekommen. Bitte rufen Sie „npm run rotate-secret“ noch einmal auf; es macht dort weiter.',
    );
  if (known.some((key) => key.state === 'current' && key.mark === mark)) return;
  throw new Error(
    'Das Geheimnis der Installation (KONTOR_SECRET oder die Datei „geheimnis“ im Datenordner) ist nicht das, mit dem die Passwörter und Kundendaten dieser Datenbank verschlüsselt sind. Bitte setzen Sie das richtige ein. Ist es verloren: „npm run rotate-secret -- --lost“.',
  );
}
