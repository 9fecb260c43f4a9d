import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runImport } from '#feed/import/run-import.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';

export const csvOf = (folder: string) => join(folder, 'katalog.csv');
export const snapshotOf = (folder: string) => join(folder, 'snapshot.parquet');
export const fieldsOf = (folder: string) => join(folder, 'fields.json');

/** Creates the catalogue and its snapshot, unless an earlier run left them (--keep). */
export async function prepare(folder: string, items: number): Promise<void> {
  if (!existsSync(csvOf(folder))) {
    await pipeline(Readable.from(catalogueCsv(items)), createWriteStream(`${csvOf(folder)}.tmp`));
    await rename(`${csvOf(folder)}.tmp`, csvOf(folder));
  }
  if (existsSync(snapshotOf(folder)) && existsSync(fieldsOf(folder))) return;
  const result = await importInto(folder, `${snapshotOf(folder)}.tmp`);
  await writeFile(fieldsOf(folder), JSON.stringify(result.fields));
  await rename(`${snapshotOf(folder)}.tmp`, snapshotOf(folder));
}

/** Runs the product's own import of the catalogue, in its child process. */
export async function importInto(folder: string, output: string) {
  const workFolder = join(folder, 'work');
  await mkdir(workFolder, { recursive: true });
  const result = await runImport(
    {
      file: csvOf(folder),
      originalName: 'katalog.csv',
      options: {},
      knownFields: [],
      output,
      rejectedOutput: join(folder, 'rejected.jsonl'),
      workFolder,
    },
    { onProgress: () => {} },
  );
  if (!result.ok) throw new Error(result.message);
  return result;
}
