/**
 * The operators of a rule's condition, one definition each (RUL-03). Screens use label, group and editor, the engine the wire
 * name; the order is that of the picker.
 */

export type OperatorGroup = 'Text' | 'Mehrfach' | 'Zahlen' | 'Fortgeschritten';

/** The wire's name of the operand's editor: one line of text, or one entry per line. */
export type OperatorSelectType = 'text' | 'multiple';

/** Kind of the operand: none, a text, one text per line, a decimal number, a whole number, an RE2 pattern. */
export type OperandEditor = 'none' | 'text' | 'lines' | 'number' | 'count' | 'regex';

type Definition = {
  readonly select: string;
  readonly label: string;
  readonly group: OperatorGroup;
  readonly selecttyp: OperatorSelectType;
  readonly editor: OperandEditor;
};

const text = { group: 'Text', selecttyp: 'text', editor: 'text' } as const;
const emptiness = { group: 'Text', selecttyp: 'text', editor: 'none' } as const;
const amount = { group: 'Text', selecttyp: 'text', editor: 'count' } as const;
const lines = { group: 'Mehrfach', selecttyp: 'multiple', editor: 'lines' } as const;
const number = { group: 'Zahlen', selecttyp: 'text', editor: 'number' } as const;
const ranking = { group: 'Zahlen', selecttyp: 'text', editor: 'count' } as const;
const pattern = { group: 'Fortgeschritten', selecttyp: 'text', editor: 'regex' } as const;

export const OPERATORS = [
  { select: 'contains', label: 'enthält', ...text },
  { select: 'not_contains', label: 'enthält nicht', ...text },
  { select: 'is_equal', label: 'entspricht', ...text },
  { select: 'is_not_equal', label: 'entspricht nicht', ...text },
  { select: 'starts_with', label: 'beginnt mit', ...text },
  { select: 'starts_not_with', label: 'beginnt nicht mit', ...text },
  { select: 'ends_with', label: 'endet mit', ...text },
  { select: 'ends_not_with', label: 'endet nicht mit', ...text },
  { select: 'is_empty', label: 'ist leer', ...emptiness },
  { select: 'is_not_empty', label: 'ist nicht leer', ...emptiness },
  { select: 'length_exceeds', label: 'hat mehr Zeichen als', ...amount },
  { select: 'length_not_exceeds', label: 'hat höchstens so viele Zeichen', ...amount },
  { select: 'word_count_exceeds', label: 'hat mehr Wörter als', ...amount },
  { select: 'word_count_not_exceeds', label: 'hat höchstens so viele Wörter', ...amount },
  { select: 'contains_any', label: 'enthält einen von', ...lines },
  { select: 'not_contains_any', label: 'enthält keinen von', ...lines },
  { select: 'is_equal_any', label: 'entspricht einem von', ...lines },
  { select: 'not_equal_any', label: 'entspricht keinem von', ...lines },
  { select: 'is_greater_than', label: 'ist größer als', ...number },
  { select: 'is_greater_equal', label: 'ist größer oder gleich', ...number },
  { select: 'is_less_than', label: 'ist kleiner als', ...number },
  { select: 'is_less_equal', label: 'ist kleiner oder gleich', ...number },
  { select: 'is_in_highest', label: 'gehört zu den höchsten', ...ranking },
  { select: 'is_in_lowest', label: 'gehört zu den niedrigsten', ...ranking },
  { select: 'regex', label: 'passt auf RegEx', ...pattern },
  { select: 'not_regex', label: 'passt nicht auf RegEx', ...pattern },
] as const satisfies readonly Definition[];

export type Operator = (typeof OPERATORS)[number]['select'];
export type OperatorDefinition = Definition & { readonly select: Operator };

export const OPERATOR_NAMES: readonly Operator[] = OPERATORS.map(({ select }) => select);

/** RUL-03: the operator of a new condition. */
export const DEFAULT_OPERATOR: Operator = 'contains';

const byName: ReadonlyMap<Operator, OperatorDefinition> = new Map(OPERATORS.map((entry) => [entry.select, entry]));

/** Returns the definition of an operator. @throws if it has none, which is a bug */
export function operatorDefinition(operator: Operator): OperatorDefinition {
  const found = byName.get(operator);
  if (!found) throw new Error(`Operator without a definition: ${operator}`);
  return found;
}
