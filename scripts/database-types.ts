import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'oxfmt';
import { openEmbedded, type Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrations.ts';
import { pg } from '#platform/db/pg.ts';

/** Path of the generated file in the project. */
export const tablesFile = 'src/platform/db/tables.ts';

type Column = {
  table: string;
  column: string;
  type: string;
  required: boolean;
  /** 'always': the database sets the value; 'default': it does if the program gives none. */
  given: 'always' | 'default' | null;
  /** CHECK constraints on this column alone. */
  checks: string[];
};

/**
 * TypeScript types that both drivers return and accept; a new type needs a line here and, if the drivers differ, a parser in both
 * (database.ts, pglite-worker.ts).
 */
const types: Readonly<Record<string, string>> = {
  bool: 'boolean',
  date: 'string',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  jsonb: 'Json',
  text: 'string',
  timestamptz: 'Timestamp',
};

const heading = `// Generated from migrations/ by 'npm run database-types': do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

type Timestamp = ColumnType<Date, Date | string>;
type GeneratedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
/** Read as a value that nobody has checked yet, written as JSON text: of an array the server's driver would make one of PostgreSQL. */
type Json = ColumnType<unknown, string>;
`;

/** Returns the tables that the migrations in `folder` create, as the text of a TypeScript file. */
export async function databaseTypes(folder: string): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'kontor-types-'));
  try {
    const database = await openEmbedded(data);
    try {
      await migrate(database, folder);
      return await formatted(await columns(database));
    } finally {
      await database.close();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function columns(database: Database): Promise<Column[]> {
  const { rows } = await pg<Column>`
    select c.relname as table, a.attname as column, t.typname as type, a.attnotnull as required,
      case when a.attidentity = 'a' or a.attgenerated <> '' then 'always' when a.attidentity = 'd' or a.atthasdef then 'default' end
        as given,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] order by k.conname) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`.execute(database.kysely);
  return rows;
}

async function formatted(all: readonly Column[]): Promise<string> {
  const tables = [...Map.groupBy(all, ({ table }) => table)].map(
    ([table, list]) =>
      `'${table}': {\n${list.map((column) => `'${column.column}': ${typeOf(column)};\n`).join('')}};\n`,
  );
  const text = `${heading}\n/** Every table by its name. */\nexport type Tables = {\n${tables.join('')}};\n`;
  const { code, errors } = await format(tablesFile, text, { printWidth: 120, singleQuote: true });
  if (errors.length > 0) throw new Error(`${tablesFile} is no TypeScript: ${errors[0]?.message}`);
  return code;
}

function typeOf({ table, column, type, required, given, checks }: Column): string {
  const read = checks.map(choices).find((found) => found !== undefined) ?? types[type];
  if (read === undefined)
    throw new Error(`${table}.${column}: no TypeScript type is known for ${type} (scripts/database-types.ts)`);
  const value = required ? read : `${read} | null`;
  if (given === null) return value;
  if (value === 'Timestamp') return 'GeneratedTimestamp';
  return given === 'always' ? `GeneratedAlways<${value}>` : `Generated<${value}>`;
}

/** Returns the texts that `check (x in ('a', 'b'))` allows, in PostgreSQL's stored form; undefined for any other constraint. */
function choices(definition: string): string | undefined {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[('\w+'::text(?:, '\w+'::text)*)\]\)\)\)$/.exec(definition)?.[1];
  return list?.replaceAll('::text', '').replaceAll(', ', ' | ');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = new URL('..', import.meta.url).pathname;
  await writeFile(join(root, tablesFile), await databaseTypes(join(root, 'migrations')));
}
