import { Button, NativeSelect } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import { type ActionGroup, ACTIONS, actionsFor } from '#shared/rules/actions.ts';
import { addAction, changeActionKind, chooseActionField, copyActionAt, removeActionAt } from '#shared/rules/edits.ts';
import type { Action, Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { newRuleId } from '#client/fields/values/new-id.ts';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import { ActionValues, type ActionValuesProps } from './action-values.tsx';
import { allFields } from './all-fields.ts';
import { PartRow } from './part-row.tsx';
import type { NoteAt } from '#client/screens/rules/rule-notes.ts';
import classes from '#client/screens/rules/rules.module.css';

type ActionsProps = { rule: Rule; noteAt: NoteAt; mayEdit: boolean; onChange: (rule: Rule) => void };

const groups: readonly ActionGroup[] = ['Text', 'Berechnungen', 'Items', 'Fortgeschritten'];

/**
 * 'dann' for the first action, 'und' for each further one; each works on the result of
 * those above, so their order can be changed.
 */
export function Actions({ rule, noteAt, mayEdit, onChange }: ActionsProps) {
  const { actions } = rule;
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
                noteAt={(path) => noteAt(`actions.${index}.${path}`)}
                onChange={(changed) => onChange({ ...rule, actions: actions.with(index, changed) })}
              />
            </PartRow>
          );
        }}
      </SortableRows>
      {mayEdit && (
        <div className={classes.add}>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label="und: Aktion hinzufügen"
            onClick={() => onChange(addAction(rule, newRuleId))}
          >
            und
          </Button>
          <Button variant="subtle" size="xs" disabled title="Legen Sie für den anderen Fall eine zweite Regel an.">
            sonst
          </Button>
        </div>
      )}
    </div>
  );
}

function ActionFields({ name, purpose, action, noteAt, onChange }: ActionValuesProps) {
  const { writable } = useFields();
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
        {...noteAt('field')}
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
        error={noteAt('select').error}
      />
      <ActionValues name={name} purpose={purpose} action={action} noteAt={noteAt} onChange={onChange} />
    </>
  );
}

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
