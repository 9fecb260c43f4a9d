import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { unreadMark, useDiscards } from '#client/ui/form/unread-field.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { readCount } from './read-count.ts';
import classes from './stock.module.css';

type CountFieldProps = {
  label: string;
  value: number | null;
  max?: number;
  onValue: (value: number) => void;
  /** Allows an empty field; without it, clearing the field restores its number. */
  onEmpty?: () => void;
};

/**
 * A field for a whole number from 0 on. Other text stays and is marked until it is corrected: the number that came before it is
 * one that nobody meant.
 */
export function CountField({ label, value, max = 9_999_999, onValue, onEmpty }: CountFieldProps) {
  const shown = value === null ? '' : String(value);
  const [text, setText] = useState(shown);
  const discards = useDiscards();
  useEffect(() => setText(shown), [shown, discards]);
  /** null: empty; undefined: invalid. */
  const readOf = (typed: string): number | null | undefined => {
    if (typed.trim() === '' && onEmpty !== undefined) return null;
    const count = readCount(typed);
    return count !== undefined && count <= max ? count : undefined;
  };
  const good = readOf(text) !== undefined;
  const take = (next: string) => {
    setText(next);
    const read = readOf(next);
    if (read === null) onEmpty?.();
    else if (read !== undefined) onValue(read);
  };
  return (
    <TextInput
      {...unreadMark(!good)}
      className={classes.small}
      label={label}
      inputMode="numeric"
      value={text}
      placeholder={onEmpty === undefined ? undefined : 'unbegrenzt'}
      error={good ? undefined : `Bitte eine ganze Zahl von 0 bis ${formatInteger(max)} eingeben.`}
      onChange={({ currentTarget }) => take(currentTarget.value)}
      onBlur={() => {
        if (text.trim() === '') setText(shown);
      }}
    />
  );
}
