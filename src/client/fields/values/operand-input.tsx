import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { pointHint } from '#shared/values/number-text.ts';
import { useFields } from './fields-context.tsx';
import { FieldPicker } from './field-picker.tsx';
import classes from '#client/fields/fields.module.css';
import { oneLine } from '#client/ui/form/one-line.ts';
import { HiddenChoice } from './hidden-choice.tsx';

/** A literal, or the value of a field. */
export type Operand = { type: '_string' | '_field'; value: string };
/** How a literal is typed in: one line, one value per line, a decimal number, a whole number, a pattern. */
export type LiteralKind = 'text' | 'lines' | 'number' | 'count' | 'regex';

type OperandInputProps = {
  label: string;
  operand: Operand;
  onChange: (operand: Operand) => void;
  kind?: LiteralKind;
  /** HDR-05: prefix of the names under which a form post carries the operand. */
  purpose?: string;
  /** False if a field makes no sense here. */
  fields?: boolean;
  placeholder?: string;
  suffix?: string;
  error?: string;
  hint?: string;
};

/** A typed value or the value of a field; switching between the two empties it. */
export function OperandInput(props: OperandInputProps) {
  const { label, operand, onChange, kind = 'text', purpose = 'value', fields = true } = props;
  const { readable } = useFields();
  const fromField = operand.type === '_field';
  return (
    <div className={classes.operand}>
      {(fields || fromField) && (
        <NativeSelect
          className={classes.source}
          aria-label={`${label}: Quelle`}
          value={operand.type}
          onChange={({ currentTarget }) =>
            onChange({ type: currentTarget.value === '_field' ? '_field' : '_string', value: '' })
          }
          data={[
            { value: '_string', label: kind === 'number' || kind === 'count' ? 'Zahl' : 'Text' },
            { value: '_field', label: 'Feld' },
          ]}
        />
      )}
      {fromField ? (
        <FieldPicker
          className={classes.value}
          label={label}
          groups={readable}
          value={operand.value}
          onChange={({ value }) => onChange({ type: '_field', value })}
          purpose={null}
          error={props.error}
          hint={props.hint}
        />
      ) : (
        <LiteralInput {...props} kind={kind} />
      )}
      <HiddenChoice purpose={purpose} type={operand.type} value={operand.value} />
    </div>
  );
}

function LiteralInput(props: OperandInputProps & { kind: LiteralKind }) {
  const { label, operand, onChange, kind, placeholder, suffix, error, hint } = props;
  if (kind === 'lines') {
    return (
      <LinesInput
        label={label}
        value={operand.value}
        onChange={(value) => onChange({ type: '_string', value })}
        error={error}
        hint={hint}
      />
    );
  }
  const point = kind === 'number' || kind === 'count' ? pointHint(operand.value) : undefined;
  return (
    <TextInput
      className={classes.value}
      classNames={kind === 'regex' ? { input: classes.pattern } : undefined}
      aria-label={label}
      placeholder={placeholder}
      inputMode={kind === 'number' ? 'decimal' : kind === 'count' ? 'numeric' : undefined}
      spellCheck={kind === 'text'}
      {...oneLine(operand.value, (value) => onChange({ type: '_string', value }))}
      rightSection={suffix === undefined ? undefined : <span className={classes.suffix}>{suffix}</span>}
      rightSectionWidth={suffix === undefined ? undefined : 72}
      rightSectionPointerEvents="none"
      error={error}
      description={error === undefined ? (point ?? hint) : undefined}
      inputWrapperOrder={['input', 'description', 'error']}
    />
  );
}

type LinesInputProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Shown above the text area. */
  heading?: ReactNode;
  error?: string;
  hint?: string;
};

/** A text area that takes one value per line; it grows with its lines. */
export function LinesInput({ label, value, onChange, heading, error, hint }: LinesInputProps) {
  return (
    <Textarea
      className={classes.value}
      classNames={{ input: classes.lines }}
      label={heading}
      aria-label={heading === undefined ? label : undefined}
      placeholder="ein Wert je Zeile"
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      description={error === undefined ? hint : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
