import { Button, NativeSelect } from '@mantine/core';
import { memo, useId } from 'react';
import { type ActionGroup, ACTIONS, actionsFor } from '#shared/rules/actions.ts';
import { addAction, changeActionKind, chooseActionField, copyActionAt, removeActionAt } from '#shared/rules/edits.ts';
import type { Action, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { newRuleId } from '#client/fields/values/new-id.ts';
import { useEvent } from '#client/ui/use-event.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import { ActionValues, type ActionValuesProps } from './action-values.tsx';
import { allFields } from './all-fields.ts';
import { AddPart, PartRow } from './part-row.tsx';
import { isSamePart, notesBelow, type Notes } from '#client/screens/rules/rule-notes.ts';
import classes from '#client/screens/rules/rules.module.css';

type ActionsProps = { rule: Rule; notes: Notes; mayEdit: boolean; onChange: (rule: Rule) => void };

const noElse = 'Legen Sie für den anderen Fall eine zweite Regel an.';

const groups: readonly ActionGroup[] = ['Text', 'Berechnungen', 'Items', 'Fortgeschritten'];

/**
 * 'dann' for the first action, 'und' for each further one; each works on the result of
 * those above, so their order can be changed.
 */
export function Actions({ rule, notes, mayEdit, onChange }: ActionsProps) {
  const { actions } = rule;
  const noElseId = useId();
  const put = useEvent((index: number, action: Action) => onChange({ ...rule, actions: actions.with(index, action) }));
  return (
    <div className={classes.parts} role="group" aria-label="Aktionen">
      <SortableRows
        rows={actions}
        rowId={({ id }) => id}
        rowName={(_, index) => `Aktion ${index + 1}`}
        onOrder={(order) => onChange({ ...rule, actions: order })}
        className={classes.sorted}
      >
        {(action, handle, place) => {
          const index = actions.indexOf(action);
          return (
            <PartRow
              keyword={place === 0 ? 'dann' : 'und'}
              name={`Aktion ${place + 1}`}
              handle={mayEdit && handle}
              onCopy={mayEdit ? () => onChange(copyActionAt(rule, index, newRuleId)) : undefined}
              onRemove={mayEdit && actions.length > 1 ? () => onChange(removeActionAt(rule, index)) : undefined}
            >
              <ActionFields
                name={`Aktion ${place + 1}`}
                purpose={`actions.${place}`}
                action={action}
                notes={notesBelow(notes, `actions.${index}`)}
                index={index}
                onPut={put}
              />
            </PartRow>
          );
        }}
      </SortableRows>
      {mayEdit && (
        <div className={classes.add}>
          <AddPart what="Aktion" onAdd={() => onChange(addAction(rule, newRuleId))} />
          <Button variant="subtle" size="xs" disabled title={noElse} aria-describedby={noElseId}>
            sonst
          </Button>
          <span id={noElseId} className={`k-muted k-small ${classes.untitled}`}>
            {noElse}
          </span>
        </div>
      )}
    </div>
  );
}

type ActionFieldsProps = Omit<ActionValuesProps, 'onChange'> & {
  index: number;
  onPut: (index: number, action: Action) => void;
};

/** Memoized: a rule can have dozens of actions, and each keystroke changes one. */
const ActionFields = memo(function ActionFields({ index, onPut, ...props }: ActionFieldsProps) {
  const { name, purpose, action, notes } = props;
  const { writable } = useFields();
  const onChange = (changed: Action) => onPut(index, changed);
  return (
    <>
      <FieldPicker
        className={classes.field}
        label={`${name}: Feld`}
        purpose={`${purpose}.field`}
        groups={[allFields, ...writable]}
        value={action.field}
        onChange={({ value }) => onChange(chooseActionField(action, value))}
        creatable
        {...notes['field']}
      />
      <NativeSelect
        className={classes.kind}
        aria-label={`${name}: Art`}
        value={action.select}
        onChange={({ currentTarget }) => {
          const chosen = ACTIONS.find(({ select }) => select === currentTarget.value);
          if (chosen !== undefined) onChange(changeActionKind(action, chosen.select));
        }}
        data={kindOptions(action)}
        error={notes['select']?.error}
      />
      <ActionValues {...props} onChange={onChange} />
    </>
  );
}, isSamePart);

/** RUL-05: returns the kinds of action under their headings; for all fields together only exclusion is possible. */
function kindOptions({ field, select }: Action) {
  const offered = actionsFor(field === ALL_FIELDS ? 'all' : 'field');
  // Keep a kind set by a program, although it is not offered here: it must not look like another one.
  const kinds = ACTIONS.filter(
    (entry) => entry.select === select || offered.some((other) => other.select === entry.select),
  );
  return groups
    .map((group) => ({
      group,
      items: kinds
        .filter((entry) => entry.group === group)
        .map((entry) => ({ value: entry.select, label: entry.label })),
    }))
    .filter(({ items }) => items.length > 0);
}
