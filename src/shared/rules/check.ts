import { operatorDefinition } from './operators.ts';
import { numberText, textLines, wholeNumber } from '#shared/values/number-text.ts';
import { holdsAlways, isCalculationNumber } from './edits.ts';
import type { Action, Condition, Rule } from './schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** Maximum number of lines in a list of entries and in a search list: more make no sensible query. */
export const LINE_LIMITS = { entries: 10_000, searches: 1_000 } as const;

/** The item number; conditions may read it, no action may write it. */
export const ITEM_ID = '_id';

export type RuleProblemCode =
  | 'name_empty'
  | 'id_twice'
  | 'regex_invalid'
  | 'number_invalid'
  | 'count_invalid'
  | 'lines_exceeded'
  | 'entries_exceeded'
  | 'field_missing'
  | 'field_unknown'
  | 'field_new'
  | 'field_readonly'
  | 'replacement_group'
  | 'action_scope';

/** A problem of a rule. `error` prevents saving, `hint` is only shown. `path` is e.g. 'querys.0.value'. */
export type RuleProblem = {
  readonly ruleId: string;
  readonly path: string;
  readonly code: RuleProblemCode;
  readonly severity: 'error' | 'hint';
  readonly message: string;
};

/** Returns why a pattern is invalid, in German; undefined if it is valid. The server's is engine/regex.ts (RE2). */
export type RegexCheck = (pattern: string) => string | undefined;

type Found = Omit<RuleProblem, 'ruleId'>;

const REGEX_WITH_FIELD = 'Ein RegEx kann nicht aus einem Feld gelesen werden.';

function error(path: string, code: RuleProblemCode, message: string): Found {
  return { path, code, severity: 'error', message };
}

function hint(path: string, code: RuleProblemCode, message: string): Found {
  return { path, code, severity: 'hint', message };
}

/**
 * Returns everything a user should know about the rules before they are saved (RUL-07, RUL-10), in the order of the list.
 * `fieldNames` are the fields of the catalogue; fields written by rules above count as known.
 */
export function checkRules(
  rules: readonly Rule[],
  fieldNames: Iterable<string>,
  checkRegex: RegexCheck,
): RuleProblem[] {
  const known = new Set([...fieldNames, ITEM_ID]);
  const ids = new Set<string>();
  return rules.flatMap((rule) => {
    const found: Found[] = [];
    if (rule.name.trim() === '') found.push(error('name', 'name_empty', 'Bitte geben Sie einen Namen ein.'));
    if (ids.has(rule.id)) found.push(error('id', 'id_twice', 'Diese Kennung kommt mehrfach vor.'));
    ids.add(rule.id);
    rule.querys.forEach((condition, at) => found.push(...checkCondition(condition, `querys.${at}`, known, checkRegex)));
    rule.actions.forEach((action, at) => {
      found.push(...checkAction(action, `actions.${at}`, known, checkRegex));
      if (action.field !== ALL_FIELDS) known.add(action.field);
    });
    return found.map((problem) => ({ ruleId: rule.id, ...problem }));
  });
}

/** Returns whether a problem prevents an action; a new field or an unusual group does not. */
export const stopsAction = ({ path, code }: Pick<RuleProblem, 'path' | 'code'>): boolean =>
  path.startsWith('actions.') && code !== 'field_new' && code !== 'replacement_group';

function checkField(field: string, path: string, known: ReadonlySet<string>): Found[] {
  if (field === '') return [hint(path, 'field_missing', 'Bitte wählen Sie ein Feld.')];
  // References to mappings and internal fields are checked where the catalogue is known.
  if (/^_(?:mapping|intern):/.test(field)) return [];
  return known.has(field) ? [] : [hint(path, 'field_unknown', `Das Feld „${field}“ gibt es nicht.`)];
}

function checkPattern(pattern: string, path: string, checkRegex: RegexCheck): Found[] {
  const reason = checkRegex(pattern);
  return reason === undefined ? [] : [error(path, 'regex_invalid', `Invalid Regex: ${reason}`)];
}

function checkCondition(
  condition: Condition,
  path: string,
  known: ReadonlySet<string>,
  checkRegex: RegexCheck,
): Found[] {
  const { field, select, value, valuetyp } = condition;
  if (holdsAlways(condition)) return [];
  const found = field === ALL_FIELDS || condition.type === '_mapping' ? [] : checkField(field, `${path}.field`, known);
  const { editor, group } = operatorDefinition(select);
  const at = `${path}.value`;
  if (editor === 'none') return found;
  if (editor === 'regex') {
    if (valuetyp === '_field') return [...found, error(at, 'regex_invalid', `Invalid Regex: ${REGEX_WITH_FIELD}`)];
    return [...found, ...checkPattern(value, at, checkRegex)];
  }
  if (valuetyp === '_field') return [...found, ...checkField(value, at, known)];
  if (editor === 'lines') return [...found, ...checkLines(value, at, LINE_LIMITS.entries)];
  const isNumber = editor === 'number' || editor === 'count';
  if (isNumber && numberText(value) === undefined) {
    found.push(hint(at, 'number_invalid', 'Bitte geben Sie eine Zahl ein.'));
  } else if (group === 'Zahlen' && editor === 'count' && (wholeNumber(value) ?? 0) < 1) {
    // No item is among the highest 2.5, or the highest 0.
    found.push(hint(at, 'count_invalid', 'Bitte geben Sie eine Anzahl ab 1 ein.'));
  }
  return found;
}

function checkLines(value: string, path: string, limit: number): Found[] {
  if (textLines(value).length <= limit) return [];
  return [error(path, 'lines_exceeded', `Höchstens ${limit.toLocaleString('de-DE')} Zeilen sind erlaubt.`)];
}

function checkAction(action: Action, path: string, known: ReadonlySet<string>, checkRegex: RegexCheck): Found[] {
  const forAll = action.field === ALL_FIELDS;
  if (forAll !== (action.select === 'unset')) {
    const message = forAll
      ? 'Für alle Felder ist nur „schließe aus“ möglich.'
      : '„Schließe aus“ ist nur für alle Felder möglich.';
    return [error(`${path}.select`, 'action_scope', message)];
  }
  return forAll
    ? []
    : [...checkTarget(action.field, `${path}.field`, known), ...checkValues(action, path, known, checkRegex)];
}

function checkTarget(field: string, path: string, known: ReadonlySet<string>): Found[] {
  if (field === '') return [hint(path, 'field_missing', 'Bitte wählen Sie ein Feld.')];
  if (field === ITEM_ID) return [error(path, 'field_readonly', 'Die Artikelnummer kann nicht geändert werden.')];
  return known.has(field) ? [] : [hint(path, 'field_new', `Das Feld „${field}“ wird neu angelegt.`)];
}

function checkValues(action: Action, path: string, known: ReadonlySet<string>, checkRegex: RegexCheck): Found[] {
  const { select, value } = action;
  const pathAt = (index: number) => `${path}.value.${index}.value`;
  const found = value.flatMap((entry, index) =>
    entry.type === '_field' && entry.value !== '' && !known.has(entry.value)
      ? checkField(entry.value, pathAt(index), known)
      : [],
  );
  const first = value[0];
  const second = value[1];
  if (select === 'searchRegex') {
    found.push(...checkPattern(first?.value ?? '', pathAt(0), checkRegex));
    const [foreign] = /\$(?:[1-9]|\{\w+\}|<\w+>)/.exec(second?.value ?? '') ?? [];
    if (foreign !== undefined) {
      const message = `„${foreign}“ wird eingesetzt, wie es hier steht. Eine Gruppe des Musters heißt \\1 bis \\9, alles Gefundene \\0.`;
      found.push(hint(pathAt(1), 'replacement_group', message));
    }
  }
  if (select === 'replace' && first?.type === '_string') {
    found.push(...checkLines(first.value, pathAt(0), LINE_LIMITS.searches));
  }
  if (select === 'replace' && value.length > 2) {
    const message = 'Suchen und Ersetzen hat höchstens 2 Einträge: was gesucht wird und wodurch es ersetzt wird.';
    found.push(error(pathAt(2), 'entries_exceeded', message));
  }
  if (select === 'maxlength' && (wholeNumber(first?.value ?? '') ?? 0) < 1) {
    found.push(hint(pathAt(0), 'count_invalid', 'Bitte geben Sie eine Anzahl ab 1 ein.'));
  }
  if (select === 'calculate') {
    const number = second ?? (first?.type === '_number' ? first : undefined);
    if (number && number.type !== '_field' && !isCalculationNumber(number.value)) {
      const message = 'Nur dezimal werte mit Punkt und 2 Nachkommastellen sind erlaubt';
      found.push(error(pathAt(second ? 1 : 0), 'number_invalid', message));
    }
  }
  return found;
}
