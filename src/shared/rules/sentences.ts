import { INTERNAL_FIELDS } from '#shared/assignments/schema.ts';
import { holdsAlways, isCalculationNumber } from './edits.ts';
import { calculationOf, IGNORE_CASE } from './actions.ts';
import { operatorDefinition } from './operators.ts';
import { countText, integerText } from '#shared/values/integer-text.ts';
import { textLines } from '#shared/values/number-text.ts';
import type { Action, ActionValue, Condition, Rule } from './schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';

/** The longest literal that a sentence quotes whole, in UTF-16 units; longer ones are cut with an ellipsis. */
const QUOTED = 60;
/** Entries of a list that a sentence names; the others are counted. */
const NAMED = 3;

const signs = { multiply: '×', divide: '÷', add: '+', subtract: '−' } as const;

/** Returns „text“ on one line, cut if long; „“ for an empty text. */
export function quoted(text: string): string {
  // Not one pattern for a break with its blanks: it would take time by the square of a long text of blanks.
  const lines = text.split(/[\r\n]+/);
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const between = lines.slice(1, -1).flatMap((part) => part.trim() || []);
  const line = lines.length === 1 ? first : [first.trimEnd(), ...between, last.trimStart()].join(' ⏎ ');
  const points = Array.from(line);
  return `„${points.length > QUOTED ? `${points.slice(0, QUOTED - 1).join('')}…` : line}“`;
}

/** Returns the name of a field for use in sentences. */
export function fieldWord(field: string): string {
  if (field === ALL_FIELDS) return 'irgendein Feld';
  const mapping = /^_mapping:(.+)$/s.exec(field)?.[1];
  if (mapping !== undefined) return `Mapping ${mapping}`;
  const internal = /^_intern:(.+)$/s.exec(field)?.[1];
  if (internal !== undefined) return INTERNAL_FIELDS.find(({ value }) => value === internal)?.name ?? internal;
  return field === '' ? '(kein Feld)' : field;
}

/** Returns a condition as a German text: „Titel enthält „Schuh““. Used alike in explanations, history and findings. */
export function conditionSentence(condition: Condition): string {
  const { field, select, value, valuetyp } = condition;
  const { label, editor } = operatorDefinition(select);
  if (holdsAlways(condition)) return 'alle Artikel';
  const subject = fieldWord(field);
  if (editor === 'none') return `${subject} ${label}`;
  if (valuetyp === '_field') return `${subject} ${label} Feld ${fieldWord(value)}`;
  if (editor === 'lines') return `${subject} ${label} ${listed(textLines(value))}`;
  if (editor === 'number' || editor === 'count') return `${subject} ${label} ${value === '' ? '(keine Zahl)' : value}`;
  return `${subject} ${label} ${quoted(value)}`;
}

/** Returns an action as a German text: „setze Marke auf „Nordkap““. */
export function actionSentence(action: Action): string {
  const { field, select, value } = action;
  const target = fieldWord(field);
  const [first, second] = value;
  switch (select) {
    case 'unset':
      return 'schließe den Artikel aus';
    case 'set':
      return first === undefined || first.value === '' ? `leere ${target}` : `setze ${target} auf ${operand(first)}`;
    case 'append':
      return `hänge an ${target} ${operand(first)} an`;
    case 'copy':
      return `kopiere ${fieldWord(first?.value ?? '')} nach ${target}`;
    case 'combine':
      return `setze ${target} zusammen aus ${value.length === 0 ? '(nichts)' : value.map(operand).join(' + ')}`;
    case 'replace':
      return replaceSentence(target, action);
    case 'textsplit':
      return `teile ${target} bei ${operand(first)} und nimm Teil ${second?.value === undefined || second.value === '' ? '1' : second.value}`;
    case 'maxlength':
      return `kürze ${target} auf ${first?.value ?? ''} Zeichen`;
    case 'calculate': {
      const [from, number] = operandsOf(value);
      const source = from?.value === undefined || from.value === '' ? target : fieldWord(from.value);
      const by = number?.type === '_field' ? fieldWord(number.value) : (number?.value ?? '');
      return `berechne ${target} = ${source} ${signs[calculationOf(action) ?? 'multiply']} ${by}`;
    }
    case 'group':
      return `gruppiere ${target} nach ${fieldWord(first?.value ?? '')}`;
    case 'searchRegex':
      return `ersetze in ${target} das Muster ${quoted(first?.value ?? '')} durch ${operand(second)}`;
  }
}

/** Returns the whole rule as a German sentence: „Wenn … und …, dann … und …“. */
export function ruleSentence(rule: Rule): string {
  const conditions = rule.querys.map(conditionSentence);
  const actions = rule.actions.map(actionSentence).join(' und ');
  const limiting = conditions.filter((text) => text !== 'alle Artikel');
  return limiting.length === 0 ? `Für alle Artikel: ${actions}` : `Wenn ${limiting.join(' und ')}, dann ${actions}`;
}

/** Returns the name of a rule for use in sentences. */
export function ruleName({ name }: Pick<Rule, 'name'>): string {
  return name.trim() === '' ? 'Regel ohne Namen' : `Regel ${quoted(name)}`;
}

function operand(entry: ActionValue | undefined): string {
  if (entry === undefined) return quoted('');
  return entry.type === '_field' ? `Feld ${fieldWord(entry.value)}` : quoted(entry.value);
}

function listed(entries: readonly string[]): string {
  const named = entries.slice(0, NAMED).map(quoted).join(', ');
  const rest = entries.length - NAMED;
  if (entries.length === 0) return '(keine Einträge)';
  return rest > 0 ? `${named} und ${integerText(rest)} weiteren` : named;
}

function replaceSentence(target: string, { value: [search, by], actionOperator }: Action): string {
  const any = actionOperator === IGNORE_CASE ? ' (groß oder klein geschrieben)' : '';
  const what = search?.type === '_field' ? operand(search) + any : listed(textLines(search?.value ?? '')) + any;
  if (by === undefined || by.value === '') return `entferne in ${target} ${what}`;
  return `ersetze in ${target} ${what} durch ${by.type === '_field' ? operand(by) : listed(textLines(by.value))}`;
}

/** Returns why calculations of a rule may have no result: the missing number, „„Gewicht“ ist leer oder keine Zahl“. */
export function uncalculatedWords({ actions }: Pick<Rule, 'actions'>): string {
  const calculations = actions.filter(({ select }) => select === 'calculate');
  return [...new Set(calculations.flatMap(missingNumbers))].join('; ');
}

/** Returns the German sentence that calculations of a rule failed on some of its items, and why. */
export function uncalculatedSentence(rule: Pick<Rule, 'actions'>, count: number): string {
  const one = count === 1;
  return `${countText(count, 'Wert konnte', 'Werte konnten')} nicht berechnet werden (${uncalculatedWords(rule)}) und ${one ? 'blieb' : 'blieben'} unverändert.`;
}

/** Returns the source and the number of a calculation: a single number is calculated with the field itself. */
const operandsOf = (value: Action['value']): readonly (ActionValue | undefined)[] =>
  value.length === 1 && value[0]?.type !== '_field' ? [undefined, value[0]] : value;

function missingNumbers(action: Action): string[] {
  const { value } = action;
  const [source, by] = operandsOf(value);
  const dividing = calculationOf(action) === 'divide';
  if (by?.type === '_field') {
    const what = by.value === '' ? 'es ist kein Feld gewählt, mit dem gerechnet wird' : emptyField(by.value, dividing);
    return [emptyField(source?.value || action.field), what];
  }
  const number = by?.value ?? '';
  if (number === '' || !isCalculationNumber(number))
    return [`zu „berechne ${fieldWord(action.field)}“ ist keine Zahl eingetragen`];
  if (dividing && Number(number) === 0) return ['durch 0 lässt sich nicht teilen'];
  return [emptyField(source?.value || action.field)];
}

const emptyField = (field: string, zero = false) =>
  `${quoted(fieldWord(field))} ist leer${zero ? ', keine Zahl oder 0' : ' oder keine Zahl'}`;
