import { join, ownNumber, duck, type Sql } from '#platform/duckdb/sql.ts';
import { applyCalculation } from './calculation.ts';
import { BLANK_CLASS, INK_CLASS } from './number.ts';
import type { Change, ChangeKind, Operand } from '#engine/ir/rules.ts';
import type { Program } from './program.ts';
import { ID, MISSING, ROW } from './relation.ts';

function partOf(operand: Operand<string | undefined>, program: Program): Sql {
  if (operand.from === 'field') return program.text(operand.field);
  return operand.value === undefined ? MISSING : duck`${operand.value}`;
}

/** Concatenates the parts; missing parts are skipped, and an empty result is missing. */
function joined(list: readonly Operand<string | undefined>[], holds: Sql, program: Program): Sql {
  if (list.length === 0) return MISSING;
  const text = duck`concat(${join(
    list.map((part) => partOf(part, program)),
    duck`, `,
  )})`;
  const neverEmpty = list.some((part) => part.from === 'literal' && part.value !== undefined);
  return neverEmpty ? text : emptyIsMissing(text, holds, program);
}

/** Makes an empty result missing. The text becomes a column because it is used twice; computed only where the rule holds. */
function emptyIsMissing(text: Sql, holds: Sql, program: Program): Sql {
  const result = program.define(duck`CASE WHEN ${holds} THEN ${text} END`);
  return duck`CASE WHEN ${result} <> '' THEN ${result} END`;
}

/** The item number of the first item with the same value of a field, among those on which the rule holds. */
function grouped(change: Change<'group'>, holds: Sql, program: Program): Sql {
  const key = program.text(change.by);
  const member = duck`CASE WHEN ${holds} AND ${program.present()} THEN ${key} END`;
  const first = duck`arg_min(${ID}, ${ROW}) OVER (PARTITION BY ${member})`;
  const group = program.defineWindow(first);
  return duck`CASE WHEN ${key} IS NULL THEN ${program.text(change.field)} ELSE ${group} END`;
}

/** Cuts after the last word that ends within the length if that keeps 80 % of it, else exactly at the length. */
function shortened(text: Sql, length: number): Sql {
  const limit = ownNumber(length);
  const words = duck`regexp_extract(left(${text}, ${ownNumber(length + 1)}), ${`(?s)^(.*${INK_CLASS})${BLANK_CLASS}`}, 1)`;
  return duck`CASE WHEN length(${text}) <= ${limit} THEN ${text}
    WHEN length(${words}) * 5 >= ${ownNumber(length * 4)} THEN ${words} ELSE left(${text}, ${limit}) END`;
}

/** Longer search texts are searched with their case, because a pattern has a size limit. */
const LONGEST_IN_ANY_CASE = 1000;

/** Escapes a text for use as a pattern that matches only itself. */
const escaped = (text: string) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** Replaces all matches regardless of case. An empty search text replaces nothing. */
function replacedInAnyCase(
  text: Sql,
  { search, from, to, exact }: { search: Operand<string | undefined>; from: Sql; to: Sql; exact: Sql },
): Sql {
  const rewrite = duck`replace(${to}, '\\', '\\\\')`;
  if (search.from === 'literal') {
    const searched = search.value ?? '';
    if (searched === '' || searched.length > LONGEST_IN_ANY_CASE) return exact;
    return duck`regexp_replace(${text}, ${`(?i)${escaped(searched)}`}, ${rewrite}, 'g')`;
  }
  const short = duck`length(${from}) BETWEEN 1 AND ${ownNumber(LONGEST_IN_ANY_CASE)}`;
  return duck`CASE WHEN ${short} THEN regexp_replace(${text}, '(?i)' || regexp_escape(${from}), ${rewrite}, 'g') ELSE ${exact} END`;
}

/** All kinds but calculations, whose results are numbers: see calculation.ts. */
type TextChangeKind = Exclude<ChangeKind, 'calculate'>;
type Serialize<K extends TextChangeKind> = (change: Change<K>, program: Program, holds: Sql) => Sql;

/** The SQL of every kind of change: the field's new text where the rule holds. */
const CHANGES: { readonly [K in TextChangeKind]: Serialize<K> } = {
  set: ({ value }, program) => partOf(value, program),
  append: ({ field, value }, program, holds) => joined([{ from: 'field', field }, value], holds, program),
  combine: ({ parts }, program, holds) => joined(parts, holds, program),
  replace: ({ field, pairs, ignoreCase }, program, holds) => {
    const text = program.text(field);
    const replaced = pairs.reduce((so, { search, by }) => {
      const [from, to] = [partOf(search, program), duck`coalesce(${partOf(by, program)}, '')`];
      const exact = duck`replace(${so}, coalesce(${from}, ''), ${to})`;
      return ignoreCase ? replacedInAnyCase(so, { search, from, to, exact }) : exact;
    }, text);
    if (ignoreCase || pairs.length === 0) return emptyIsMissing(replaced, holds, program);
    // DuckDB's `replace` compares at every byte and `contains` skips ahead, and most texts contain none of the search texts.
    const searched = pairs.map(({ search }) => duck`contains(${text}, coalesce(${partOf(search, program)}, ''))`);
    return emptyIsMissing(
      duck`CASE WHEN ${join(searched, duck` OR `)} THEN ${replaced} ELSE ${text} END`,
      holds,
      program,
    );
  },
  split: ({ field, separator, position }, program, holds) => {
    const text = program.text(field);
    const by = partOf(separator, program);
    // Without a separator the text is one piece.
    const pieces = duck`CASE WHEN ${by} IS NULL THEN [${text}] ELSE string_split(${text}, ${by}) END`;
    return emptyIsMissing(duck`(${pieces})[${ownNumber(position)}]`, holds, program);
  },
  shorten: ({ field, length }, program) => shortened(program.text(field), length),
  group: (change, program, holds) => grouped(change, holds, program),
  replacePattern: ({ field, pattern, rewrite }, program, holds) =>
    emptyIsMissing(duck`regexp_replace(${program.text(field)}, ${pattern}, ${rewrite}, 'g')`, holds, program),
};

function serializeChange<K extends TextChangeKind>(change: Change<K>, program: Program, holds: Sql): Sql {
  return CHANGES[change.kind](change, program, holds);
}

/**
 * Writes a change into the program for the items on which `holds`. For calculations, returns the condition under which an item
 * had to stay unchanged.
 */
export function applyChange(change: Change, program: Program, holds: Sql): Sql | undefined {
  const copied = change.kind === 'set' && change.value.from === 'field' ? change.value.field : undefined;
  if (program.text(change.field) === MISSING) program.readings.begin(change.field, copied);
  if (change.kind === 'calculate') return applyCalculation(change, program, holds);
  if (change.kind === 'set' && change.value.from === 'literal') program.set(change.field, holds, change.value.value);
  else program.write(change.field, holds, serializeChange(change, program, holds));
  return undefined;
}
