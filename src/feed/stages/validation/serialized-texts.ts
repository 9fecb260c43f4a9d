import { BLANK_CLASS } from '#engine/duckdb/number.ts';
import { ID, nextStep, ROW, type Relation } from '#engine/duckdb/relation.ts';
import { duck, join, name, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { type Checked, type CheckedColumn, listOf } from './checked-column.ts';
import { numberTypes } from './field-checks.ts';
import { gtinNumber } from './gtin.ts';
import { canonical, short } from './numbers.ts';
import { holdsUnusual } from './unusual-characters.ts';

/** Adds the serialized texts, then the numbers in them, each computed once for all checks. */
export function serializedSteps(relation: Relation, checked: readonly Checked[]): Relation {
  const texts = textSteps(relation, checked);
  const entries = checked.flatMap(({ column, index }) => {
    const list = listOf(column);
    return list ? [duck`${list.entriesOf(name(`t${index}`))} AS ${name(`e${index}`)}`] : [];
  });
  const withEntries = entries.length === 0 ? texts : step(texts, [duck`*`, ...entries]);
  const serialized = replacing(withEntries, checked, (_, text) => notBlank(text));
  const numeric = checked.filter(({ column, field }) => !listOf(column) && field && numberTypes.has(field.type));
  if (numeric.length === 0) return serialized;
  const number = numeric.map(({ field, index }) => duck`${numberIn(name(`t${index}`), field)} AS ${name(`n${index}`)}`);
  const numbers = step(serialized, [duck`*`, ...number]);
  const shorts = numeric
    .filter(({ field }) => field?.type !== 'gtin')
    .map(({ index }) => duck`${short(name(`n${index}`))} AS ${name(`d${index}`)}`);
  return step(numbers, [duck`*`, ...shorts]);
}

/**
 * Runs each step as a relation step of its own: most use their text repeatedly, and nested they would make statements of
 * megabytes. Cells are cleaned only if the item as a whole contains a character that the file cannot hold, which is rare.
 */
function textSteps(relation: Relation, checked: readonly Checked[]): Relation {
  const columns = [...relation.columns].map(([, column]) => name(column));
  const cells = checked.map(({ column, index }) => duck`${column.serialized.cell} AS ${name(`t${index}`)}`);
  const most = Math.max(0, ...checked.map(({ column }) => column.serialized.steps.length));
  return Array.from({ length: most }).reduce<Relation>(
    (before, _, at) => replacing(before, checked, ({ serialized }, text) => serialized.steps[at]?.(text)),
    cleaned(step(relation, [ID, ROW, ...columns, ...cells]), checked),
  );
}

/** `_unusual`: whether any of the cells that can be tested together contains an unusual character. */
export const UNUSUAL = name('_unusual');

function cleaned(cells: Relation, checked: readonly Checked[]): Relation {
  const texts = checked
    .filter(({ column: { serialized } }) => serialized.cleaning !== undefined || serialized.keepsLetters)
    .map(({ index }) => name(`t${index}`));
  if (texts.length === 0) return cells;
  const all = name('_all');
  const together = step(cells, [duck`*`, duck`concat(${join([duck`''`, ...texts], duck`, `)}) AS ${all}`]);
  const flagged = step(together, [duck`* EXCLUDE (${all})`, duck`${holdsUnusual(all)} AS ${UNUSUAL}`]);
  return replacing(flagged, checked, ({ serialized: { cleaning } }, text) =>
    cleaning === undefined ? undefined : duck`CASE WHEN ${UNUSUAL} THEN ${cleaning(text)} ELSE ${text} END`,
  );
}

const step = (before: Relation, chosen: readonly Sql[]): Relation =>
  nextStep(before, duck`SELECT ${join(chosen, duck`, `)} FROM ${name(before.from)}`, before.columns);

/** Replaces the texts in those columns for which `make` returns one. */
function replacing(
  before: Relation,
  checked: readonly Checked[],
  make: (column: CheckedColumn, text: Sql) => Sql | undefined,
): Relation {
  const replaced = checked.flatMap(({ column, index }) => {
    const text = name(`t${index}`);
    const made = make(column, text);
    return made === undefined ? [] : [duck`${made} AS ${text}`];
  });
  return replaced.length === 0 ? before : step(before, [duck`* REPLACE (${join(replaced, duck`, `)})`]);
}

export const numberIn = (text: Sql, field: ChannelField | undefined): Sql =>
  field?.type === 'gtin' ? gtinNumber(text) : canonical(text, field?.type === 'price');

/** Blank texts count as missing. They begin with a blank or a non-ASCII character, so few texts need the pattern. */
function notBlank(text: Sql): Sql {
  const blankStart = duck`(${text} < '!' OR ${text} >= '\u0085')`;
  return duck`CASE WHEN ${blankStart} AND regexp_full_match(${text}, ${`${BLANK_CLASS}*`}) THEN NULL ELSE ${text} END`;
}
