import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './stock.module.css';

type CountFieldProps = {
  label: string;
  value: number | null;
  max?: number;
  onValue: (value: number) => void;
  /** The field may be left empty; absent: it goes back to its number. */
  onEmpty?: () => void;
};

/** A whole number from 0 on. What is no number is marked and changes nothing. */
export function CountField({ label, value, max = 9_999_999, onValue, onEmpty }: CountFieldProps) {
  const shown = value === null ? '' : String(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const good = (text === '' && onEmpty !== undefined) || (/^\d{1,7}$/.test(text) && Number(text) <= max);
  const take = (next: string) => {
    setText(next);
    if (next === '' && onEmpty !== undefined) onEmpty();
    else if (/^\d{1,7}$/.test(next) && Number(next) <= max) onValue(Number(next));
  };
  return (
    <TextInput
      className={classes.small}
      label={label}
      inputMode="numeric"
      value={text}
      placeholder={onEmpty === undefined ? undefined : 'unbegrenzt'}
      error={good ? undefined : `0 bis ${max}`}
      onChange={({ currentTarget }) => take(currentTarget.value)}
      onBlur={() => {
        if (!good) setText(shown);
      }}
    />
  );
}
