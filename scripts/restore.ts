import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missingText } from '#operations/backup/manifest.ts';
import { readBackupKey } from '#operations/backup/sealed-file.ts';
import { restoreBackup } from '#operations/backup/restore.ts';
import { openFilePlace } from '#operations/file-places/open-file-place.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { secretFingerprint, readSecretFile, secretFile } from '#platform/crypto/install-secret.ts';
import { openEmbedded, openServer } from '#platform/db/database.ts';
import { makeLog } from '#platform/telemetry/log.ts';

// `npm run restore -- <file> [--verify] [--into <folder>]`: restores a backup into an empty installation.
const usage = 'Aufruf: npm run restore -- <Datei> [--verify] [--into <Ordner>]';

async function restore(file: string, config: Config) {
  const { databaseFolder, databaseUrl } = config;
  const place = openFilePlace(config);
  try {
    return await restoreBackup(file, {
      ...config,
      place,
      openDatabase: async () =>
        databaseUrl === undefined ? await openEmbedded(databaseFolder) : openServer(databaseUrl, () => {}),
      migrations: fileURLToPath(new URL('../migrations', import.meta.url)),
      now: systemClock.now(),
      log: makeLog('warn'),
      backupKey: await readBackupKey(config.backupKey),
    });
  } finally {
    await place.close();
  }
}

const secretOf = (config: Config): string | undefined => config.secret ?? readSecretFile(secretFile(config.dataFolder));

const placeOf = ({ dataFolder, databaseUrl, store }: Config): string =>
  [
    databaseUrl === undefined ? dataFolder : 'der Datenbank (DATABASE_URL)',
    store?.name ?? (databaseUrl === undefined ? '' : dataFolder),
  ]
    .filter((one) => one !== '')
    .join(' und ');

let scratch: string | undefined;

/** The folder of a check is removed at once: nothing can be put there. */
const missingSecret = (target: Config, own: Config): string =>
  scratch === undefined
    ? `fehlt. Legen Sie es als ${secretFile(target.dataFolder)} ab (oder setzen Sie KONTOR_SECRET), bevor Sie Kontor starten.`
    : `nicht geprüft: ${secretFile(own.dataFolder)} gibt es nicht. Ob Ihres passt, sagt der Befehl mit KONTOR_DATA oder KONTOR_SECRET der Installation.`;

const secretWords = (secret: string, { keyMark }: { keyMark: string }): string =>
  secretFingerprint(secret) === keyMark
    ? 'passt zu dieser Sicherung.'
    : 'ist ein anderes als das dieser Sicherung: Gespeicherte Passwörter und Kundendaten sind damit nicht lesbar.';

try {
  const { values, positionals } = parseArgs({
    options: { verify: { type: 'boolean', default: false }, into: { type: 'string' } },
    allowPositionals: true,
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1 || (values.verify && values.into !== undefined))
    throw new Error(usage);
  // Verifying needs no server and no bucket: rows are the same in the embedded database, files in a folder.
  if (values.verify) scratch = await mkdtemp(join(tmpdir(), 'kontor-verify-'));
  const own = readConfig(process.env);
  const folder = scratch ?? values.into;
  const config = readConfig({
    ...process.env,
    ...(folder === undefined ? {} : { KONTOR_DATA: folder }),
    ...(scratch === undefined
      ? {}
      : {
          DATABASE_URL: undefined,
          KONTOR_STORE: undefined,
          S3_ENDPOINT: undefined,
          KONTOR_STORE_REDIRECTS: undefined,
        }),
  });
  const { manifest, snapshots, sealed } = await restore(resolve(path), config);
  const secret = secretOf(scratch === undefined ? config : own);
  const key = secret === undefined ? missingSecret(config, own) : secretWords(secret, manifest);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`
${scratch === undefined ? `Wiederhergestellt in ${placeOf(config)}` : 'Geprüft: Die Sicherung lässt sich vollständig wiederherstellen'}
Stand:      ${manifest.madeAt}, Kontor ${manifest.program}, ${sealed ? 'verschlüsselt gesichert' : 'NICHT VERSCHLÜSSELT gesichert'}
Geprüft:    ${manifest.tables.length} Tabellen mit ${rows} Zeilen, ${manifest.files.length} Dateien, ${snapshots} Kataloge geöffnet
${missingText(manifest.missing)}Geheimnis:  ${key}
${
  scratch === undefined
    ? 'Preise, Bestands- und Bestellmeldungen und Übertragungen sind angehalten, bis ein Inhaber sie auf der Seite Betrieb freigibt.\n'
    : ''
}`);
} catch (error) {
  console.error(`\nDie Wiederherstellung gelang nicht: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
}
