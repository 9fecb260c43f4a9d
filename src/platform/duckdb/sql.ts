import type { DuckDBValue } from '@duckdb/node-api';
import type { Statement } from './connection.ts';

export type { Statement } from './connection.ts';

/** A piece of a statement: text of our own, a bound value, a generated identifier, or the path of a file that is read. */
type Piece =
  | { readonly text: string }
  | { readonly value: DuckDBValue }
  | { readonly name: string }
  | { readonly file: string };

/** A fragment of more pieces stands in others as a whole: copied into each around it, 50,000 conditions take a second. */
const LONG = 64;

/**
 * A fragment of SQL. Text comes only from the literals of this program; whatever a user typed is a bound value; the
 * names are generated ones. So no data can become part of a statement (T9).
 */
export type Sql = {
  readonly pieces: readonly (Piece | { readonly long: Sql })[];
  /** DuckDB makes a join of it, behind which rows come in another order. */
  readonly joins?: true;
};

const GENERATED_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

function isSql(part: Sql | DuckDBValue): part is Sql {
  return typeof part === 'object' && part !== null && 'pieces' in part;
}

function add(pieces: Sql['pieces'][number][], fragment: Sql): void {
  if (fragment.pieces.length > LONG) pieces.push({ long: fragment });
  else for (const piece of fragment.pieces) pieces.push(piece);
}

/** Calls `visit` with every piece of a fragment, in their order. */
export function eachPiece(fragment: Sql, visit: (piece: Piece) => void): void {
  for (const piece of fragment.pieces) {
    if ('long' in piece) eachPiece(piece.long, visit);
    else visit(piece);
  }
}

const madeOf = (pieces: Sql['pieces'], joins: boolean): Sql => (joins ? { pieces, joins } : { pieces });

/** The same fragment, of which DuckDB makes a join. */
export const joining = ({ pieces }: Sql): Sql => madeOf(pieces, true);

/** Fragments are put in place, everything else is bound: duck`contains(${column}, ${userText})`. */
export function duck(strings: TemplateStringsArray, ...parts: readonly (Sql | DuckDBValue)[]): Sql {
  const pieces: Sql['pieces'][number][] = [];
  strings.forEach((text, index) => {
    if (text !== '') pieces.push({ text });
    if (index >= parts.length) return;
    const part = parts[index] ?? null;
    if (isSql(part)) add(pieces, part);
    else pieces.push({ value: part });
  });
  return madeOf(
    pieces,
    parts.some((part) => isSql(part) && part.joins),
  );
}

/** An identifier that our own code generated; anything else is a bug and throws. */
export function name(identifier: string): Sql {
  if (!GENERATED_NAME.test(identifier)) throw new Error(`Not a generated identifier: ${identifier}`);
  return { pieces: [{ name: identifier }] };
}

/** Fragments one after the other, e.g. joined by duck`, `. */
export function join(list: readonly Sql[], separator: Sql): Sql {
  const pieces: Sql['pieces'][number][] = [];
  list.forEach((fragment, index) => {
    if (index > 0) add(pieces, separator);
    add(pieces, fragment);
  });
  return madeOf(
    pieces,
    list.some(({ joins }) => joins),
  );
}

/** A text of our own (a path of a generated file, a format word) where DuckDB takes no bound value. Never user text. */
export function ownText(text: string): Sql {
  return { pieces: [{ text: quoted(text) }] };
}

/** The path of a file that the statement reads: it is there, wherever it is stored, while the statement runs (duckdb.ts). */
export const storedFile = (path: string): Sql => ({ pieces: [{ file: path }] });

function quoted(text: string): string {
  if (text.includes('\0')) throw new Error('NUL in a statement');
  return `'${text.replaceAll("'", "''")}'`;
}

/** The statement with its files read where they lie on this machine. */
export function withFiles(statement: Statement, localOf: (path: string) => string): Statement {
  const { sql, files = [], values } = statement;
  const placed = files.reduce((text, path) => text.replaceAll(quoted(path), () => quoted(localOf(path))), sql);
  return { sql: placed, values };
}

/** A whole number of our own as a literal. */
export function ownNumber(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`Not a whole number: ${value}`);
  return { pieces: [{ text: String(value) }] };
}

/** The identifiers a fragment mentions, once each. */
export function namesIn(fragment: Sql): Set<string> {
  const found = new Set<string>();
  eachPiece(fragment, (piece) => {
    if ('name' in piece) found.add(piece.name);
  });
  return found;
}

/** A text that two fragments share exactly if they say the same with the same values. */
export function keyOf(fragment: Sql): string {
  const parts: string[] = [];
  eachPiece(fragment, (piece) => {
    if ('text' in piece) parts.push(piece.text);
    else if ('name' in piece) parts.push(`"${piece.name}"`);
    else if ('file' in piece) parts.push(quoted(piece.file));
    else parts.push(`\0${typeof piece.value} ${String(piece.value).length} ${String(piece.value)}\0`);
  });
  return parts.join('\u0001');
}

/** The fragment with identifiers replaced by what `known` gives for them. */
export function withNames(fragment: Sql, known: (identifier: string) => Sql | undefined): Sql {
  const pieces: Sql['pieces'][number][] = [];
  let joins = fragment.joins === true;
  eachPiece(fragment, (piece) => {
    const replacement = 'name' in piece ? known(piece.name) : undefined;
    if (!replacement) {
      pieces.push(piece);
      return;
    }
    joins ||= replacement.joins === true;
    pieces.push({ text: '(' });
    add(pieces, replacement);
    pieces.push({ text: ')' });
  });
  return madeOf(pieces, joins);
}

/** The statement to run. A text that occurs many times is bound once. */
export function statement(fragment: Sql): Statement {
  const text: string[] = [];
  const values: DuckDBValue[] = [];
  const files = new Set<string>();
  const indexes = new Map<DuckDBValue, number>();
  eachPiece(fragment, (piece) => {
    if ('text' in piece) text.push(piece.text);
    else if ('name' in piece) text.push(`"${piece.name}"`);
    else if ('file' in piece) {
      files.add(piece.file);
      text.push(quoted(piece.file));
    } else {
      const index = indexes.get(piece.value) ?? values.push(piece.value);
      indexes.set(piece.value, index);
      text.push(`$${index}`);
    }
  });
  return { sql: text.join(''), values, ...(files.size > 0 ? { files: [...files] } : {}) };
}
