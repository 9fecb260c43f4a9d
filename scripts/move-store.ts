import { rename } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { refuseOtherFolder } from '#catalogue/files/files-place.ts';
import { openFilePlace } from '#operations/file-places/open-file-place.ts';
import { type Moved, moveStore } from '#operations/move-store/move-store.ts';
import { filesOfBucket, filesOfFolder, pathsIn } from '#operations/move-store/stored-in.ts';
import { refuseOtherPrograms } from '#operations/rotation/other-programs.ts';
import { integerText } from '#shared/values/integer-text.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import { beginOpening } from '#platform/db/embedded-thread.ts';
import { openDatabase } from '#platform/db/open-database.ts';
import { oneStartAtATime } from '#platform/db/start-lock.ts';
import { filesPlace } from '#platform/installation-facts.ts';
import { recoverFiles } from '#platform/jobs/job-files.ts';
import { Bucket } from '#platform/storage/s3/bucket.ts';
import { makeLog } from '#platform/telemetry/log.ts';
import { migrations } from '../src/deps.ts';

// `npm run move-store -- --to=s3://bucket/folder` or `--to=folder`: moves the files of a stopped installation to another place.
const usage = 'Aufruf: npm run move-store -- --to=s3://bucket/ordner (oder --to=folder: in den Datenordner)';
const FOLDER = 'folder';
const SAY_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;

/** Returns the settings with the files in this bucket, or for '' in the data folder, whatever KONTOR_STORE says now. */
const configWith = (store: string): Config =>
  readConfig({
    ...process.env,
    KONTOR_STORE: store === '' ? undefined : store,
    ...(store === '' ? { S3_ENDPOINT: undefined, KONTOR_STORE_REDIRECTS: undefined } : {}),
  });

const nameOf = (store: string, { itemsFolder }: Config): string => (store === '' ? itemsFolder : store);
const sizeOf = ({ files, bytes }: Moved): string =>
  `${integerText(files)} Dateien, ${(bytes / 1024 ** 2).toFixed(1)} MB`;

async function move(to: string): Promise<string> {
  if (process.env['DATABASE_URL'] === undefined)
    throw new Error(
      'Dateien in einem Bucket brauchen eine Datenbank auf einem Server (DATABASE_URL). Mit der eingebetteten: sichern Sie (npm run backup) und stellen Sie in eine leere Datenbank und einen leeren Bucket wieder her (npm run restore).',
    );
  const config = configWith(to);
  const log = makeLog('warn');
  const database = await openDatabase(beginOpening(config), migrations, log);
  try {
    await database.chooseRole();
    await refuseOtherPrograms(database);
    const place = await database.system(filesPlace);
    const from = place?.store ?? '';
    if (from === to) return `Die Dateien liegen schon in ${nameOf(to, config)}. Es war nichts zu tun.`;
    if (from === '') await refuseOtherFolder(config.itemsFolder, place?.folder);
    // A program started meanwhile waits, and is then refused if its settings are the former ones.
    return await oneStartAtATime(database, log, () => moveFrom(database, from, to));
  } finally {
    await database.close();
  }
}

async function moveFrom(database: Database, from: string, to: string): Promise<string> {
  const config = configWith(to);
  const { itemsFolder } = config;
  const target = openFilePlace(config);
  const { store } = configWith(from);
  const bucket = store && new Bucket(store);
  const progress: Moved = { files: 0, bytes: 0, sent: 0 };
  const saying = setInterval(() => console.log(`bisher ${sizeOf(progress)}`), SAY_MS);
  try {
    if (bucket === undefined) await recoverFiles(database, itemsFolder, systemClock.now(), HOUR_MS);
    const files = bucket === undefined ? await filesOfFolder(itemsFolder) : await filesOfBucket(database, bucket);
    await moveStore({ database, clock: systemClock }, files, target, progress);
    const moved = new Set(files.map(({ path }) => path));
    const strays = to === '' ? (await pathsIn(itemsFolder)).filter((path) => !moved.has(path)) : [];
    return `${sizeOf(progress)} liegen jetzt geprüft in ${nameOf(to, config)}; ${integerText(progress.files - progress.sent)} davon lagen schon dort.
${strays.length === 0 ? '' : `Im Datenordner liegen ${integerText(strays.length)} weitere Dateien, die zu nichts mehr gehören, etwa ${strays[0]}.\n`}${from === '' ? await putAside(itemsFolder) : `Was in ${from} liegt, wurde nicht angerührt.`}
${to === '' ? 'Nehmen Sie KONTOR_STORE und S3_ENDPOINT' : `Setzen Sie KONTOR_STORE=${to}`} ${to === '' ? 'aus den Einstellungen aller Prozesse, bevor Sie Kontor starten.' : 'für alle Prozesse, mit S3_ENDPOINT, S3_ACCESS_KEY und S3_SECRET_KEY wie eben, bevor Sie Kontor starten.'}`;
  } finally {
    clearInterval(saying);
    await bucket?.close();
    await target.close();
  }
}

/**
 * Renames the former folder. With a bucket the folder becomes a cache, from which the program deletes what it has not written for
 * days.
 */
async function putAside(itemsFolder: string): Promise<string> {
  const aside = `${itemsFolder}-${systemClock
    .now()
    .toISOString()
    .replaceAll(/:|\.\d+/g, '')}`;
  try {
    await rename(itemsFolder, aside);
    return `Die bisherigen Dateien liegen in ${aside}. Löschen Sie sie, wenn Sie sie nicht mehr brauchen.`;
  } catch {
    return `Die bisherigen Dateien liegen noch in ${itemsFolder}. Dort räumt Kontor künftig auf: Wer sie behalten will, legt sie vor dem Start beiseite.`;
  }
}

try {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  if (values.to === undefined || (values.to !== FOLDER && !values.to.startsWith('s3://'))) throw new Error(usage);
  console.log(`\n${await move(values.to === FOLDER ? '' : values.to)}\n`);
} catch (error) {
  console.error(
    `\nDer Umzug kam nicht zu Ende: ${error instanceof Error ? error.message : String(error)}\nEs gilt weiter der bisherige Ort; ein erneuter Aufruf sendet nicht noch einmal, was schon dort liegt.\n`,
  );
  process.exitCode = 1;
}
