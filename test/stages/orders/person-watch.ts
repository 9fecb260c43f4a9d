import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Database } from '#platform/db/database.ts';
import { type Log, makeLog } from '#platform/telemetry/log.ts';
import { columnsWithPersons, filesWithPersons, holdsPerson, unmarkedPersons } from './planted-persons.ts';

/**
 * Whether a file belongs to the embedded database: its tables are checked instead, where encrypted values can be told from
 * others.
 */
const isDatabase = (name: string) => name.startsWith('database/');
/** Whether a file is the export of a company's data, which may contain its buyers in one file (docs/orders.md). */
const isHandedOut = (name: string) => /^items\/[^/]+\/work\/[^/]+\.tar: tabellen\/order_persons\.jsonl$/.test(name);

/** Returns files of a data folder that contain a person and must not. */
export const strayedFiles = (dataFolder: string): string[] =>
  (existsSync(dataFolder) ? filesWithPersons(dataFolder, isDatabase) : { found: [] }).found
    .filter((name) => !isHandedOut(name))
    .map((name) => `file ${name}`);

/** Returns columns of any table that contain a person unencrypted. */
export const strayedColumns = async (database: Database): Promise<string[]> =>
  (await columnsWithPersons(database)).map((name) => `column ${name}`);

/** Returns lines of a program's output that contain a person. */
export const strayedLines = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => holdsPerson(Buffer.from(line)))
    .map((line) => `log line ${line}`);

/** @throws an error that lists every finding */
export function refuseStrayed(found: readonly string[]): void {
  if (found.length > 0) throw new Error(`Personal data of orders, or secrets, found unencrypted:\n${found.join('\n')}`);
}

/**
 * Returns a log that is discarded, down to the debug level, while lines that contain a person are kept.
 * @param shown the level from which lines are also printed
 */
export function watchedLog(shown?: string): { log: Log; strayed: () => string[] } {
  const found: string[] = [];
  const sink = new Writable({
    decodeStrings: false,
    write: (line: string | Buffer, _encoding, done) => {
      const text = line.toString();
      found.push(...strayedLines(text));
      if (shown !== undefined) process.stdout.write(text);
      done();
    },
  });
  return { log: makeLog(shown ?? 'debug', sink), strayed: () => found };
}

type Opener = Parameters<typeof unmarkedPersons>[1];

/** Returns what the tables of a running program contain and must not. */
export async function strayedRows(database: Database, openPerson: Opener): Promise<string[]> {
  const unmarked = await unmarkedPersons(database, openPerson);
  return [
    ...(await strayedColumns(database)),
    ...unmarked.map((order) => `order ${order}: a person without the marker, which the checks cannot find`),
  ];
}
