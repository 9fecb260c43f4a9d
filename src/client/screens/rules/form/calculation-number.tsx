import { TextInput } from '@mantine/core';
import { type ClipboardEvent, useState } from 'react';
import { numberText } from '#shared/values/number-text.ts';
import { isCalculationNumber } from '#shared/rules/edits.ts';
import classes from '#client/screens/rules/rules.module.css';

type CalculationNumberProps = { label: string; value: string; onChange: (value: string) => void; error?: string };

/** RUL-07: digits with a point and two decimals. A pasted number in German format is converted, and the field says so. */
export function CalculationNumber({ label, value, onChange, error }: CalculationNumberProps) {
  const [turned, setTurned] = useState<string | null>(null);
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text').trim();
    const number = numberText(pasted);
    if (isCalculationNumber(pasted) || number === undefined || !isCalculationNumber(number)) return;
    event.preventDefault();
    setTurned(`„${pasted}“ wurde als ${number} übernommen.`);
    onChange(number);
  };
  return (
    <TextInput
      className={classes.amount}
      aria-label={label}
      inputMode="decimal"
      placeholder="z. B. 1.19"
      value={value}
      onPaste={onPaste}
      onChange={({ currentTarget }) => {
        setTurned(null);
        // Cells and web pages are copied with blanks around the number.
        onChange(currentTarget.value.trim());
      }}
      error={error}
      description={turned === null ? undefined : <span role="status">{turned}</span>}
      inputWrapperOrder={['input', 'description', 'error']}
    />
  );
}
