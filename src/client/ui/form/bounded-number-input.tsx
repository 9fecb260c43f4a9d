import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';
import { boundedNumber } from './bounded-number.ts';

type BoundedNumberInputProps = Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max'> & {
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
};

/** A whole number that can be emptied and retyped: text that is not yet such a number stays in the field until blur. */
export function BoundedNumberInput({ value, min, max, onChange, ...rest }: BoundedNumberInputProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  return (
    <NumberInput
      {...rest}
      min={min}
      max={max}
      // A comma stays as typed: without it, „2,5“ would be 25. A point groups thousands.
      decimalSeparator=","
      allowedDecimalSeparators={[',']}
      clampBehavior="none"
      error={typeof typed === 'number' && !Number.isInteger(typed) ? 'Bitte eine ganze Zahl eingeben.' : rest.error}
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next);
        const number = boundedNumber(next, { min, max });
        if (number !== undefined && number !== value) onChange(number);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
