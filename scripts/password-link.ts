import { mkdirSync } from 'node:fs';
import { findUser } from '#auth/auth.ts';
import { makeReset, RESET_MINUTES, resetLink } from '#auth/links.ts';
import { removeFactors } from '#auth/second-factors.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { randomIds } from '#platform/ids.ts';
import { lockFolder } from '#platform/storage/folder-lock.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations } from '../src/deps.ts';

/** Prints a link to a new password for somebody who is locked out. Whoever may run this has the data folder and the database anyway. */
async function printLink(email: string, factorsLost: boolean): Promise<void> {
  const config = readConfig(process.env);
  mkdirSync(config.dataFolder, { recursive: true, mode: 0o700 });
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataFolder) : () => {};
  const database = await openDatabase(config, { folder: migrations, template: undefined }, makeLog('warn'));
  try {
    const user = await findUser(database, email);
    if (user === undefined) throw new Error(`Zu ${email} gibt es kein Konto.`);
    if (factorsLost) await removeFactors(database, user.id);
    const secret = await makeReset({ database, clock: systemClock, ids: randomIds }, user.id, RESET_MINUTES.hand);
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
    console.log(
      `\nMit diesem Link wählen Sie ein neues Passwort (24 Stunden, einmal):\n${resetLink(publicUrl, secret)}\n`,
    );
  } finally {
    await database.close();
    unlock();
  }
}

// `--remove-factors`: for somebody who has lost passkeys, app and recovery codes as well.
const [email = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
try {
  if (email === '')
    throw new Error('Bitte geben Sie die E-Mail-Adresse an: npm run password-link -- inhaber@beispiel.de');
  await printLink(email.trim(), process.argv.includes('--remove-factors'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
