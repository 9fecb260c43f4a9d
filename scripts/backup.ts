import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { refuseOtherFolder } from '#catalogue/files/files-place.ts';
import { readBackupKey } from '#operations/backup/sealed-file.ts';
import { requestBackup } from '#operations/backup/local-command.ts';
import { removeExpired, targetFile } from '#operations/backup/target-file.ts';
import { missingText } from '#operations/backup/manifest.ts';
import { writeBackup, type BackupResult } from '#operations/backup/write-backup.ts';
import { otherFilesPlace } from '#operations/file-places/other-files-place.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { storedSecret } from '#platform/crypto/install-secret.ts';
import { openEmbedded, openServer } from '#platform/db/database.ts';
import { filesPlace } from '#platform/installation-facts.ts';
import { randomIds } from '#platform/ids.ts';
import { programVersion } from '#platform/program.ts';
import { isLocked, lockFolder } from '#platform/storage/folder-lock.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';

// `npm run backup -- <folder or file> [--keep-days=30] [--skip-lost]`: backs up database and files of one moment, while the
// program runs.
const usage = 'Aufruf: npm run backup -- <Ordner oder Datei> [--keep-days=30] [--skip-lost]';

/** Backs up the installation of these settings; if only the running program can open the database, it makes the backup. */
async function backup(
  config: Config,
  file: string,
  { skipLost, key }: { skipLost: boolean; key: Buffer | undefined },
): Promise<BackupResult> {
  const { dataFolder, itemsFolder, databaseUrl, databaseFolder, store } = config;
  if (databaseUrl === undefined && isLocked(dataFolder)) return requestBackup(dataFolder, file, key);
  const unlock = databaseUrl === undefined ? lockFolder(dataFolder) : () => {};
  try {
    const database = databaseUrl === undefined ? await openEmbedded(databaseFolder) : openServer(databaseUrl, () => {});
    const bucket = store && new Bucket(store);
    try {
      await database.chooseRole();
      const place = await database.system(filesPlace);
      const named = store?.name ?? '';
      if (place !== undefined && place.store !== named) throw otherFilesPlace(place.store, named);
      if (store === undefined) await refuseOtherFolder(itemsFolder, place?.folder);
      const secret =
        config.secret ??
        storedSecret(dataFolder, () => {
          throw new Error(`In ${dataFolder} liegt kein Kontor. Bitte KONTOR_DATA und KONTOR_SECRET prüfen.`);
        });
      const program = programVersion(fileURLToPath(new URL('..', import.meta.url)));
      const deps = {
        database,
        itemsFolder,
        bucket,
        skipLost,
        clock: systemClock,
        ids: randomIds,
        secret,
        program,
        key,
      };
      return await writeBackup(deps, file);
    } finally {
      await bucket?.close();
      await database.close();
    }
  } finally {
    unlock();
  }
}

try {
  const { values, positionals } = parseArgs({
    options: { 'keep-days': { type: 'string', default: '30' }, 'skip-lost': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const keepDays = Number(values['keep-days']);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1 || !Number.isInteger(keepDays) || keepDays < 1)
    throw new Error(usage);
  const config = readConfig(process.env);
  const now = systemClock.now();
  const key = await readBackupKey(config.backupKey);
  const target = path.endsWith('/') ? `${resolve(path)}/` : resolve(path);
  const { file, folder } = await targetFile(target, now, key !== undefined);
  const { bytes, rows, files, missing, sealed } = await backup(config, file, { skipLost: values['skip-lost'], key });
  const removed = folder === undefined ? [] : await removeExpired(folder, keepDays, now);
  console.log(`
Gesichert:  ${file}
Umfang:     ${rows} Zeilen der Datenbank, ${files} Dateien, ${(bytes / 1024 ** 2).toFixed(1)} MB
Schutz:     ${sealed ? 'verschlüsselt mit KONTOR_BACKUP_KEY. Ohne diesen Schlüssel ist sie nicht lesbar: bewahren Sie ihn getrennt auf.' : 'NICHT VERSCHLÜSSELT. Wer die Datei hat, liest Bestellungen, Preise und Artikel. Setzen Sie KONTOR_BACKUP_KEY, um sie zu verschlüsseln.'}
${missingText(missing)}${removed.length > 0 ? `Abgelaufen: ${removed.join(', ')} (älter als ${keepDays} Tage, gelöscht)\n` : ''}
Nicht enthalten ist das Geheimnis der Installation (${config.secret === undefined ? `${config.dataFolder}/geheimnis` : 'KONTOR_SECRET'}). Bewahren Sie es
getrennt von den Sicherungen auf: Ohne es sind gespeicherte Passwörter und Kundendaten nicht lesbar.
Prüfen:     npm run restore -- ${file} --verify
`);
} catch (error) {
  console.error(`\nDie Sicherung gelang nicht: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
