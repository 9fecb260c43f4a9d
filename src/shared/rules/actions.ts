/**
 * The actions of a rule and the calculations, one definition each (RUL-05, RUL-06).
 *
 * What `value` holds on the wire, entry by entry (an entry is `{type, value}`; `_string` literal, `_field` field name):
 *
 * | select      | value[0]                               | value[1]                                     |
 * |-------------|----------------------------------------|----------------------------------------------|
 * | set, append | `_string` or `_field`                  |                                              |
 * | copy, group | `_field`                               |                                              |
 * | combine     | any number of `_string` and `_field`, joined as given                               | |
 * | replace     | `_string` search, one per line (or `_field`: its whole value) | the same, replacement |
 * | textsplit   | `_string` separator (or `_field`)      | `_number` position, from the end if negative |
 * | maxlength   | `_number` characters                   |                                              |
 * | calculate   | `_field` source, '' = the field itself | `_number` (or `_field`); with actionOperator |
 * | searchRegex | `_regex` pattern                       | `_string` replacement, `\1` groups           |
 * | unset       | nothing                                |                                              |
 */

export type ActionGroup = 'Text' | 'Berechnungen' | 'Items' | 'Fortgeschritten';

/** The wire's name of the editor of an action's values. */
export const ACTION_SELECT_TYPES = [
  'input',
  'copy',
  'combine',
  'find',
  'split',
  'calculate',
  'maxlength',
  'searchRegex',
] as const;
export type ActionSelectType = (typeof ACTION_SELECT_TYPES)[number];

type Definition = {
  readonly select: string;
  readonly label: string;
  readonly group: ActionGroup;
  readonly selecttyp: ActionSelectType;
  /** `all`: offered for '@ALL@' only; `field`: for a single field only. */
  readonly scope: 'field' | 'all';
};

export const ACTIONS = [
  { select: 'set', label: 'setze auf', group: 'Text', selecttyp: 'input', scope: 'field' },
  { select: 'append', label: 'hänge an', group: 'Text', selecttyp: 'input', scope: 'field' },
  { select: 'copy', label: 'kopiere aus', group: 'Text', selecttyp: 'copy', scope: 'field' },
  { select: 'combine', label: 'kombiniere', group: 'Text', selecttyp: 'combine', scope: 'field' },
  { select: 'replace', label: 'suche und ersetze', group: 'Text', selecttyp: 'find', scope: 'field' },
  { select: 'textsplit', label: 'teile Text', group: 'Text', selecttyp: 'split', scope: 'field' },
  { select: 'maxlength', label: 'kürze auf', group: 'Text', selecttyp: 'maxlength', scope: 'field' },
  { select: 'calculate', label: 'berechne', group: 'Berechnungen', selecttyp: 'calculate', scope: 'field' },
  { select: 'group', label: 'gruppiere nach', group: 'Items', selecttyp: 'copy', scope: 'field' },
  {
    select: 'searchRegex',
    label: 'suche und ersetze mit RegEx',
    group: 'Fortgeschritten',
    selecttyp: 'searchRegex',
    scope: 'field',
  },
  { select: 'unset', label: 'schließe aus', group: 'Items', selecttyp: 'input', scope: 'all' },
] as const satisfies readonly Definition[];

export type ActionKind = (typeof ACTIONS)[number]['select'];
export type ActionDefinition = Definition & { readonly select: ActionKind };

export const ACTION_NAMES: readonly ActionKind[] = ACTIONS.map(({ select }) => select);

export const CALCULATIONS = [
  { actionOperator: 'multiply', label: 'multipliziere mit', sign: '×' },
  { actionOperator: 'divide', label: 'dividiere durch', sign: '÷' },
  { actionOperator: 'add', label: 'addiere', sign: '+' },
  { actionOperator: 'subtract', label: 'subtrahiere', sign: '−' },
] as const;

export type Calculation = (typeof CALCULATIONS)[number]['actionOperator'];

/** Value of `actionOperator` for a `replace` that ignores case. */
export const IGNORE_CASE = '(?i)';

/** Returns the calculation of an action; undefined if it has none or none is chosen yet. */
export function calculationOf({ actionOperator }: { readonly actionOperator: string }): Calculation | undefined {
  return CALCULATIONS.find((entry) => entry.actionOperator === actionOperator)?.actionOperator;
}

const byName: ReadonlyMap<ActionKind, ActionDefinition> = new Map(ACTIONS.map((entry) => [entry.select, entry]));

/** Returns the definition of an action kind. @throws if it has none, which is a bug */
export function actionDefinition(kind: ActionKind): ActionDefinition {
  const found = byName.get(kind);
  if (!found) throw new Error(`Action without a definition: ${kind}`);
  return found;
}

/** Returns the kinds offered for a field, or for '@ALL@' (only 'schließe aus', RUL-05). */
export function actionsFor(scope: 'field' | 'all'): readonly ActionDefinition[] {
  return ACTIONS.filter((entry) => entry.scope === scope);
}
