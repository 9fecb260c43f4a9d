import { mkdirSync } from 'node:fs';
import { findUser } from '#auth/auth.ts';
import { makeReset, RESET_MINUTES, resetLink } from '#auth/links.ts';
import { removeFactors } from '#auth/second-factors.ts';
import { addEvent, type SecurityLogDeps } from '#auth/security-log.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { storedSecret } from '#platform/crypto/install-secret.ts';
import { requireCurrentSecret } from '#platform/crypto/installation-keys.ts';
import { Vault } from '#platform/crypto/vault.ts';
import { beginOpening } from '#platform/db/embedded-thread.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { randomIds } from '#platform/ids.ts';
import { lockFolder } from '#platform/storage/folder-lock.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations } from '../src/deps.ts';

/**
 * Prints a link to a new password for a user who is locked out. Anyone who can run this has access to the data folder and the
 * database anyway.
 */
async function printLink(email: string, factorsLost: boolean): Promise<void> {
  const config = readConfig(process.env);
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 });
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataFolder) : () => {};
  const database = await openDatabase(beginOpening(config), migrations, makeLog('warn'));
  try {
    const secret = config.secret ?? storedSecret(config.dataFolder, noSecret(config.dataFolder));
    // With a wrong secret the event would look forged in the audit chain of the security log.
    await requireCurrentSecret({ database, clock: systemClock }, secret);
    const user = await findUser(database, email);
    if (user === undefined) throw new Error(`Zu ${email} gibt es kein Konto.`);
    if (factorsLost) await removeFactors(database, user.id);
    await recordOfMachine({ database, vault: new Vault(secret), clock: systemClock }, user.id, factorsLost);
    const link = await makeReset({ database, clock: systemClock, ids: randomIds }, user.id, RESET_MINUTES.hand);
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
    console.log(
      `\nMit diesem Link wählen Sie ein neues Passwort (24 Stunden, einmal):\n${resetLink(publicUrl, link)}\n`,
    );
  } finally {
    await database.close();
    unlock();
  }
}

const noSecret = (folder: string) => (): never => {
  throw new Error(
    `In ${folder} liegt kein Geheimnis. Bitte KONTOR_DATA und KONTOR_SECRET wie für das laufende Kontor setzen.`,
  );
};

/** Records the event, so that other members see that a link was issued on the machine. */
async function recordOfMachine(deps: SecurityLogDeps, userId: string, factorsLost: boolean): Promise<void> {
  const memberships = await deps.database.kysely
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.userId')
    .select(['u.name', 'u.email', 'm.organizationId as company'])
    .where('u.id', '=', userId)
    .execute();
  for (const { company, name, email } of memberships) {
    await addEvent(deps, {
      company,
      kind: factorsLost ? 'factor' : 'password',
      result: 'done',
      actor: 'Betreiber, am Rechner selbst',
      actorId: '',
      by: 'nobody',
      address: '',
      what: factorsLost
        ? 'Zweiten Faktor entfernt und Link zu einem neuen Passwort angelegt (npm run password-link)'
        : 'Link zu einem neuen Passwort angelegt (npm run password-link)',
      subject: `${name} (${email})`,
    });
  }
}

// `--remove-factors`: for a user who has lost passkeys, app and recovery codes as well.
const [email = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
try {
  if (email === '')
    throw new Error('Bitte geben Sie die E-Mail-Adresse an: npm run password-link -- inhaber@beispiel.de');
  await printLink(email.trim(), process.argv.includes('--remove-factors'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
