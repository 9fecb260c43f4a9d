import { Checkbox, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { CALCULATIONS, IGNORE_CASE } from '#shared/rules/actions.ts';
import { textLines } from '#shared/values/number-text.ts';
import { changeActionValue, changeCalculation, changeIgnoreCase } from '#shared/rules/edits.ts';
import type { Action, ActionValue } from '#shared/rules/schema.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { type LiteralKind, OperandInput } from '#client/fields/values/operand-input.tsx';
import { PartsEditor } from '#client/fields/values/parts-editor.tsx';
import { CalculationNumber } from './calculation-number.tsx';
import type { Notes } from '#client/screens/rules/rule-notes.ts';
import classes from '#client/screens/rules/rules.module.css';

export type ActionValuesProps = {
  name: string;
  /** Path of this action in the rule, e.g. 'actions.0'. */
  purpose: string;
  action: Action;
  notes: Notes;
  onChange: (action: Action) => void;
};

/** RUL-05, RUL-06: the editor for each kind of action; shared/actions.ts defines the meaning of the entries. */
export function ActionValues(props: ActionValuesProps) {
  const { name } = props;
  switch (props.action.select) {
    case 'set':
    case 'append':
      return <Entry {...props} index={0} label={`${name}: Wert`} />;
    case 'copy':
      return <FieldEntry {...props} index={0} label={`${name}: Quelle`} />;
    case 'group':
      return <FieldEntry {...props} index={0} label={`${name}: gemeinsames Feld`} />;
    case 'combine':
      return <Combine {...props} />;
    case 'replace':
      return <Replace {...props} />;
    case 'textsplit':
      return (
        <div className={classes.line}>
          <Captioned caption="am Trennzeichen">
            <Entry {...props} index={0} label={`${name}: Trennzeichen`} placeholder="z. B. ," />
          </Captioned>
          <Captioned caption="Teil Nummer">
            <Plain
              {...props}
              index={1}
              type="_number"
              label={`${name}: Position`}
              placeholder="1"
              hint="−1 ist der letzte Teil"
            />
          </Captioned>
        </div>
      );
    case 'maxlength':
      return <Plain {...props} index={0} type="_number" label={`${name}: Länge`} suffix="Zeichen" />;
    case 'calculate':
      return <Calculate {...props} />;
    case 'searchRegex':
      return (
        <div className={classes.line}>
          <Captioned caption="Muster">
            <Plain {...props} index={0} type="_regex" kind="regex" label={`${name}: Muster`} placeholder="z. B. \s+" />
          </Captioned>
          <Captioned caption="ersetze durch">
            <Plain
              {...props}
              index={1}
              type="_string"
              label={`${name}: Ersetzung`}
              placeholder="leer: entfernen"
              hint="\1 setzt die erste Klammer ein"
            />
          </Captioned>
        </div>
      );
    case 'unset':
      return <span className={classes.effect}>Der Artikel wird nicht ausgegeben.</span>;
  }
}

type EntryProps = ActionValuesProps & {
  index: number;
  label: string;
  placeholder?: string;
  kind?: LiteralKind;
  hint?: string;
};

/** A text or a field. */
function Entry({ purpose, action, notes, onChange, index, label, placeholder, kind, hint }: EntryProps) {
  const entry = action.value[index];
  const note = notes[`value.${index}.value`];
  return (
    <OperandInput
      label={label}
      purpose={`${purpose}.value.${index}`}
      kind={kind}
      placeholder={placeholder}
      operand={{ type: entry?.type === '_field' ? '_field' : '_string', value: entry?.value ?? '' }}
      onChange={(operand) => onChange(changeActionValue(action, index, operand))}
      error={note?.error}
      hint={note?.hint ?? hint}
    />
  );
}

/** A literal of one type; a field set by a program can still be seen and changed back. */
function Plain(props: EntryProps & { type: ActionValue['type']; suffix?: string }) {
  const { purpose, action, notes, onChange, index, label, placeholder, kind, type, suffix, hint } = props;
  const entry = action.value[index];
  const note = notes[`value.${index}.value`];
  return (
    <OperandInput
      label={label}
      purpose={`${purpose}.value.${index}`}
      kind={kind ?? (type === '_number' ? 'count' : 'text')}
      fields={false}
      placeholder={placeholder}
      suffix={suffix}
      operand={{ type: entry?.type === '_field' ? '_field' : '_string', value: entry?.value ?? '' }}
      onChange={(operand) =>
        onChange(changeActionValue(action, index, { ...operand, type: operand.type === '_field' ? '_field' : type }))
      }
      error={note?.error}
      hint={note?.hint ?? hint}
    />
  );
}

function FieldEntry({ purpose, action, notes, onChange, index, label, placeholder }: EntryProps) {
  const { readable } = useFields();
  const value = action.value[index]?.value ?? '';
  const note = notes[`value.${index}.value`];
  return (
    <FieldPicker
      className={classes.value}
      label={label}
      purpose={`${purpose}.value.${index}`}
      groups={readable}
      value={value}
      placeholder={placeholder}
      onChange={(entry) => onChange(changeActionValue(action, index, { type: '_field', value: entry.value }))}
      error={note?.error}
      hint={note?.hint ?? (value === '' && placeholder === undefined ? 'Bitte wählen Sie ein Feld.' : undefined)}
    />
  );
}

function Combine({ name, purpose, action, notes, onChange }: ActionValuesProps) {
  return (
    <PartsEditor
      label={`${name}: Teile`}
      purpose={`${purpose}.value`}
      parts={action.value.map(({ type, value }) => ({ type: type === '_field' ? '_field' : '_string', value }))}
      onChange={(value) => onChange({ ...action, value })}
      hintAt={(index) => notes[`value.${index}.value`]?.hint}
    />
  );
}

/** RUL-07: search texts and replacements, line by line; at most these two entries. */
function Replace(props: ActionValuesProps) {
  const { name, action, onChange } = props;
  const ignores = action.actionOperator === IGNORE_CASE;
  return (
    <div className={classes.line}>
      <Captioned caption="suche">
        <Plain
          {...props}
          index={0}
          type="_string"
          label={`${name}: Suche`}
          kind="lines"
          hint={ignores ? undefined : 'Anders als in Bedingungen zählt hier Groß- und Kleinschreibung.'}
        />
        <Checkbox
          label="Groß- und Kleinschreibung ignorieren"
          checked={ignores}
          onChange={({ currentTarget }) => onChange(changeIgnoreCase(action, currentTarget.checked))}
        />
      </Captioned>
      <Captioned caption="ersetze durch">
        <Plain
          {...props}
          index={1}
          type="_string"
          label={`${name}: Ersetzung`}
          kind="lines"
          hint={replacementHint(action)}
        />
      </Captioned>
    </div>
  );
}

/** Says what happens to search lines without a replacement of their own. */
function replacementHint({ value: [search, by] }: Action): string | undefined {
  if (search?.type === '_field' || by?.type === '_field') return undefined;
  const searched = textLines(search?.value ?? '').length;
  const replacements = textLines(by?.value ?? '').length;
  if (searched === 0 || replacements === searched) return undefined;
  if (replacements === 0) return 'Ohne Ersetzung wird das Gesuchte entfernt.';
  if (replacements === 1) return 'Die eine Zeile gilt für alle Suchwerte.';
  return replacements < searched ? `Ab Zeile ${replacements + 1} wird das Gesuchte entfernt.` : undefined;
}

function Calculate(props: ActionValuesProps) {
  const { name, action, notes, onChange } = props;
  const number = action.value[1];
  const note = notes['value.1.value'];
  return (
    <div className={classes.line}>
      <FieldEntry {...props} index={0} label={`${name}: Ausgangsfeld`} placeholder="dasselbe Feld" />
      <NativeSelect
        className={classes.calculation}
        aria-label={`${name}: Rechenart`}
        value={action.actionOperator}
        onChange={({ currentTarget }) => {
          const chosen = CALCULATIONS.find(({ actionOperator }) => actionOperator === currentTarget.value);
          if (chosen !== undefined) onChange(changeCalculation(action, chosen.actionOperator));
        }}
        data={CALCULATIONS.map(({ actionOperator, label }) => ({ value: actionOperator, label }))}
      />
      {number?.type === '_field' ? (
        <Entry {...props} index={1} label={`${name}: Zahl`} kind="number" />
      ) : (
        <CalculationNumber
          label={`${name}: Zahl`}
          value={number?.value ?? ''}
          onChange={(value) => onChange(changeActionValue(action, 1, { type: '_number', value }))}
          error={note?.error}
        />
      )}
    </div>
  );
}

function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <div className={classes.captioned}>
      <span className={classes.caption}>{caption}</span>
      {children}
    </div>
  );
}
