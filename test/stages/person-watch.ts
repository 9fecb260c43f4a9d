import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Database } from '#platform/db/database.ts';
import { type Log, makeLog } from '#platform/telemetry/log.ts';
import { columnsWithPersons, filesWithPersons, holdsPerson, unmarkedPersons } from './planted-persons.ts';

/** The pages of the embedded database: its tables are asked instead, where what is sealed and what is not can be told apart. */
const isDatabase = (name: string) => name.startsWith('database/');
/** What a company asked for to take away is meant to hold its buyers, in one file (docs/orders.md). */
const isHandedOut = (name: string) => /^items\/[^/]+\/work\/[^/]+\.tar: tabellen\/order_persons\.jsonl$/.test(name);

/** Files of a data folder in which a person stands who may not. */
export const strayedFiles = (dataFolder: string): string[] =>
  (existsSync(dataFolder) ? filesWithPersons(dataFolder, isDatabase) : { found: [] }).found
    .filter((name) => !isHandedOut(name))
    .map((name) => `file ${name}`);

/** Columns of any table in which a person stands unsealed. */
export const strayedColumns = async (database: Database): Promise<string[]> =>
  (await columnsWithPersons(database)).map((name) => `column ${name}`);

/** Lines of a program's output in which a person stands. */
export const strayedLines = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => holdsPerson(Buffer.from(line)))
    .map((line) => `log line ${line}`);

/** @throws with every place */
export function refuseStrayed(found: readonly string[]): void {
  if (found.length > 0)
    throw new Error(`Persons of orders, or secrets, stand readable where none may:\n${found.join('\n')}`);
}

/**
 * A log that is written to nobody, down to what only developers read, and kept where a person stands in a line.
 * @param shown the level from which on the lines are printed, too
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

/** What stands in the tables of a program that still runs. */
export async function strayedRows(database: Database, openPerson: Opener): Promise<string[]> {
  const unmarked = await unmarkedPersons(database, openPerson);
  return [
    ...(await strayedColumns(database)),
    ...unmarked.map((order) => `order ${order}: a person whom nothing marks, so that nobody can look for it`),
  ];
}
