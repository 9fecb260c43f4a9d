import { renameSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { rotateSecret } from '#operations/rotation/rotate.ts';
import { refuseOtherPrograms } from '#operations/rotation/other-programs.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { readSecretFile, secretFile, storedSecret, writeSecretFile } from '#platform/crypto/install-secret.ts';
import { beginOpening } from '#platform/db/embedded-thread.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { randomIds } from '#platform/ids.ts';
import { lockFolder } from '#platform/storage/folder-lock.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations, sealedPlaces } from '../src/deps.ts';

// `npm run rotate-secret`: encrypts everything with a new secret while the program is stopped. After a kill it continues when
// called again.

/** The secret in force, the next one, and the function to call once that is in force. */
type Change = { old: string | undefined; next: string; end: () => string };

function changeOf({ secret, dataFolder }: Config, lost: boolean): Change {
  if (lost) {
    const next = secret ?? storedSecret(dataFolder, () => randomIds.secret());
    return {
      old: undefined,
      next,
      end: () => 'Das eingesetzte Geheimnis gilt. Was das verlorene verschlüsselt hat, ist entfernt.',
    };
  }
  if (secret !== undefined) {
    const next = process.env['KONTOR_NEW_SECRET'] ?? '';
    if (next.length < 32)
      throw new Error('Bitte geben Sie das neue Geheimnis (mindestens 32 Zeichen) als KONTOR_NEW_SECRET an.');
    return {
      old: secret,
      next,
      end: () => 'Setzen Sie KONTOR_SECRET jetzt auf das neue Geheimnis, bevor Sie Kontor starten.',
    };
  }
  const file = secretFile(dataFolder);
  const old = readSecretFile(file);
  if (old === undefined) throw new Error(`In ${dataFolder} liegt kein Geheimnis. Bitte KONTOR_DATA prüfen.`);
  const nextFile = `${file}.neu`;
  let next = readSecretFile(nextFile);
  if (next === undefined) {
    next = randomIds.secret();
    writeSecretFile(nextFile, next);
  }
  const end = () => {
    renameSync(nextFile, file);
    return `Das neue Geheimnis steht in ${file}.`;
  };
  return { old, next, end };
}

async function rotate(config: Config, lost: boolean): Promise<string> {
  const unlock = config.databaseUrl === undefined ? lockFolder(config.dataFolder) : () => {};
  const database = await openDatabase(beginOpening(config), migrations, makeLog('warn'));
  try {
    await database.chooseRole();
    await refuseOtherPrograms(database);
    const { old, next, end } = changeOf(config, lost);
    const done = await rotateSecret({ database, clock: systemClock, places: sealedPlaces }, { old, next });
    const words = end();
    if (done === undefined) return `Dieses Geheimnis galt schon. ${words}`;
    const unreadable =
      done.unreadable === 0
        ? ''
        : `\nNicht lesbar: ${done.unreadable} Werte (mit einem früheren, unbekannten Geheimnis verschlüsselt).`;
    return `Neu verschlüsselt: ${done.sealed} Passwörter und Personendaten.${unreadable}
${words}
Alle sind abgemeldet. Ältere Sicherungen brauchen weiter das bisherige Geheimnis: Bewahren Sie es auf, bis sie abgelaufen sind.`;
  } finally {
    await database.close();
    unlock();
  }
}

try {
  const { values } = parseArgs({ options: { lost: { type: 'boolean', default: false } } });
  console.log(`\n${await rotate(readConfig(process.env), values.lost)}\n`);
} catch (error) {
  console.error(`\nDas Geheimnis wurde nicht gewechselt: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
