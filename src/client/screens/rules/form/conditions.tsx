import { NativeSelect } from '@mantine/core';
import { memo } from 'react';
import { OPERATORS, operatorDefinition, type OperatorGroup } from '#shared/rules/operators.ts';
import {
  addCondition,
  changeOperandSource,
  changeOperator,
  chooseConditionField,
  copyConditionAt,
  removeConditionAt,
} from '#shared/rules/edits.ts';
import type { RuleEffect } from '#shared/rules/effect.ts';
import type { Condition, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { newRuleId } from '#client/fields/values/new-id.ts';
import { OperandInput } from '#client/fields/values/operand-input.tsx';
import { useEvent } from '#client/ui/use-event.ts';
import { allFields } from './all-fields.ts';
import { AddPart, PartRow } from './part-row.tsx';
import { ConditionMeter } from '#client/screens/rules/effect/condition-meter.tsx';
import { isSamePart, notesBelow, type Notes } from '#client/screens/rules/rule-notes.ts';
import classes from '#client/screens/rules/rules.module.css';
import type { Live } from '#client/use-live.ts';

type ConditionsProps = {
  rule: Rule;
  notes: Notes;
  effect: Live<RuleEffect>;
  mayEdit: boolean;
  onChange: (rule: Rule) => void;
};

const groups: readonly OperatorGroup[] = ['Text', 'Mehrfach', 'Zahlen', 'Fortgeschritten'];

/** 'Wenn' for the first condition, 'und' for each further one: all must hold. */
export function Conditions({ rule, notes, effect, mayEdit, onChange }: ConditionsProps) {
  const { querys } = rule;
  const put = useEvent((index: number, condition: Condition) =>
    onChange({ ...rule, querys: querys.with(index, condition) }),
  );
  return (
    <div className={classes.parts} role="group" aria-label="Bedingungen">
      {querys.map((condition, index) => (
        <PartRow
          key={condition.id}
          keyword={index === 0 ? 'Wenn' : 'und'}
          name={`Bedingung ${index + 1}`}
          onCopy={mayEdit ? () => onChange(copyConditionAt(rule, index, newRuleId)) : undefined}
          onRemove={mayEdit && querys.length > 1 ? () => onChange(removeConditionAt(rule, index)) : undefined}
          foot={<ConditionMeter index={index} effect={effect.answer} stale={effect.busy} />}
        >
          <ConditionFields
            name={`Bedingung ${index + 1}`}
            purpose={`querys.${index}`}
            condition={condition}
            caseHint={caseHintAt(querys, index)}
            notes={notesBelow(notes, `querys.${index}`)}
            index={index}
            onPut={put}
          />
        </PartRow>
      ))}
      {mayEdit && (
        <div className={classes.add}>
          <AddPart what="Bedingung" onAdd={() => onChange(addCondition(rule, newRuleId))} />
        </div>
      )}
    </div>
  );
}

/** Returns the hint about upper and lower case for a condition's kind of value; '' if case is irrelevant to it. */
function caseHintOf({ select }: Condition): string {
  switch (operatorDefinition(select).editor) {
    case 'text':
    case 'lines':
      return 'Groß- und Kleinschreibung spielt keine Rolle.';
    case 'regex':
      return 'Groß- und Kleinschreibung zählt; mit (?i) am Anfang nicht.';
    default:
      return '';
  }
}

/** Returns the hint only at the first condition of each kind. */
function caseHintAt(querys: readonly Condition[], index: number): string {
  const hints = querys.map(caseHintOf);
  const hint = hints[index] ?? '';
  return hints.indexOf(hint) === index ? hint : '';
}

type ConditionProps = {
  name: string;
  /** Path of this condition in the rule, e.g. 'querys.0'. */
  purpose: string;
  condition: Condition;
  caseHint: string;
  notes: Notes;
  onChange: (condition: Condition) => void;
};
type ConditionFieldsProps = Omit<ConditionProps, 'onChange'> & {
  index: number;
  onPut: (index: number, condition: Condition) => void;
};

/** Memoized: a rule can have dozens of conditions, and each keystroke changes one. */
const ConditionFields = memo(function ConditionFields({ index, onPut, ...props }: ConditionFieldsProps) {
  const { name, purpose, condition, notes } = props;
  const onChange = (changed: Condition) => onPut(index, changed);
  const { readable } = useFields();
  const every = condition.field === ALL_FIELDS;
  return (
    <>
      <FieldPicker
        className={classes.field}
        label={`${name}: Feld`}
        purpose={`${purpose}.field`}
        groups={[allFields, ...readable]}
        value={condition.field}
        onChange={({ value }) => onChange(chooseConditionField(condition, value))}
        {...notes['field']}
      />
      <NativeSelect
        className={classes.kind}
        aria-label={`${name}: Operator`}
        value={condition.select}
        onChange={({ currentTarget }) => {
          const chosen = OPERATORS.find(({ select }) => select === currentTarget.value);
          if (chosen !== undefined) onChange(withOperator(condition, chosen.select));
        }}
        data={operatorOptions()}
      />
      <ConditionValue {...props} every={every} onChange={onChange} />
    </>
  );
}, isSamePart);

/** A pattern cannot be read from a field, so the operand becomes a text again. */
function withOperator(condition: Condition, select: Condition['select']): Condition {
  const changed = changeOperator(condition, select);
  return operatorDefinition(select).editor === 'regex' ? changeOperandSource(changed, '_string') : changed;
}

/** RUL-03: returns the operators under their headings. */
function operatorOptions() {
  return groups.map((group) => ({
    group,
    items: OPERATORS.filter((entry) => entry.group === group).map(({ select, label }) => ({ value: select, label })),
  }));
}

function ConditionValue(props: ConditionProps & { every: boolean }) {
  const { name, purpose, condition, caseHint, every, notes, onChange } = props;
  const { editor } = operatorDefinition(condition.select);
  if (editor === 'none') return null;
  const { error, hint } = notes['value'] ?? {};
  return (
    <OperandInput
      label={`${name}: Wert`}
      purpose={`${purpose}.value`}
      kind={editor}
      fields={editor !== 'regex'}
      operand={{ type: condition.valuetyp, value: condition.value }}
      onChange={({ type, value }) => onChange({ ...changeOperandSource(condition, type), value })}
      suffix={editor === 'count' ? countedThing(condition.select) : undefined}
      error={error}
      hint={hint ?? (every && condition.value === '' ? 'Ohne Wert gilt das für jeden Artikel.' : caseHint)}
    />
  );
}

function countedThing(select: Condition['select']): string {
  if (select.startsWith('length')) return 'Zeichen';
  return select.startsWith('word') ? 'Wörter' : 'Artikel';
}
