import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { boundedNumber } from './bounded-number.ts';
import { unreadMark, useDiscards } from './unread-field.ts';

type BoundedNumberInputProps = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max'> & {
  /** Null: empty. */
  value: number | null;
  min: number;
  max: number;
  onChange: (value: number) => void;
  /** Allows an empty field; without it, an emptied field gets its number back when it is left. */
  onEmpty?: () => void;
};

/**
 * A whole number that can be emptied and retyped: text that is not yet such a number stays in the field until blur. A number with
 * a fraction stays until it is corrected: the number before the comma is one that nobody meant.
 */
export function BoundedNumberInput({ value, min, max, onChange, onEmpty, ...rest }: BoundedNumberInputProps) {
  const discards = useDiscards();
  /** What was typed, and the value that the form has had since. */
  const [typed, setTyped] = useState<{ text: number | string; value: number | null; discards: number } | null>(null);
  // A value that the form has got from elsewhere replaces what was typed, and so does discarding.
  const shown = typed?.value === value && typed.discards === discards ? typed.text : (value ?? '');
  const fraction = typeof shown === 'number' && !Number.isInteger(shown);
  return (
    <NumberInput
      {...rest}
      {...unreadMark(fraction)}
      min={min}
      max={max}
      // A comma stays as typed: without it, „2,5“ would be 25. A point groups thousands.
      decimalSeparator=","
      allowedDecimalSeparators={[',']}
      clampBehavior="none"
      error={fraction ? 'Bitte eine ganze Zahl eingeben.' : rest.error}
      value={shown}
      onChange={(next) => {
        const empty = next === '' && onEmpty !== undefined;
        const number = empty ? null : (boundedNumber(next, { min, max }) ?? value);
        setTyped({ text: next, value: number, discards });
        if (number === value) return;
        if (number === null) onEmpty?.();
        else onChange(number);
      }}
      onBlur={() => {
        if (!fraction) setTyped(null);
      }}
    />
  );
}
