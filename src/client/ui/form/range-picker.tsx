import { ActionIcon, Button, TextInput } from '@mantine/core';
import IconCalendar from 'virtual:icons/calendar';
import IconChevronDown from 'virtual:icons/chevron-down';
import { type SyntheticEvent, useRef, useState } from 'react';
import { Disclosure } from '#client/ui/disclosure.tsx';
import {
  berlinDay,
  dayCount,
  type DayRange,
  formatDate,
  formatRange,
  presetOf,
  type RangePreset,
  readDay,
} from '#client/ui/text/days.ts';
import classes from './range-picker.module.css';

type RangePickerProps = {
  range: DayRange;
  presets: readonly RangePreset[];
  /** Longest range in days that can be requested. */
  mostDays: number;
  /** Today in Berlin, as the server reported it. */
  today: string;
  /** Label of the preset that was chosen, from the URL. */
  chosen: string | null;
  /** `label`: of the chosen preset; '' for typed days. */
  onRange: (range: DayRange, label: string) => void;
};

/** Chooses days: a preset, or a start and an end. There is always a range. */
export function RangePicker({ range, presets, mostDays, today, chosen, onRange }: RangePickerProps) {
  const preset = presetOf(presets, range, { today, chosen });
  return (
    <Disclosure
      className={classes.opener ?? ''}
      align="end"
      button={
        <>
          <IconCalendar size={18} stroke={1.7} aria-hidden />
          <span className={classes.words}>
            <span className={classes.label}>Zeitraum wählen</span>
            <span>
              {preset === undefined ? '' : `${preset.label}: `}
              {formatRange(range)}
            </span>
          </span>
          <IconChevronDown size={16} aria-hidden />
        </>
      }
    >
      {(close) => {
        const choose = (days: DayRange, label: string) => {
          onRange(days, label);
          close();
        };
        return (
          <div className={classes.panel}>
            <ul className={classes.presets} aria-label="Zeiträume">
              {presets.map((one) => (
                <li key={one.label}>
                  <button
                    type="button"
                    className={classes.preset}
                    aria-pressed={one === preset}
                    // The day may have changed since the page was loaded.
                    onClick={() => choose(one.of(berlinDay(new Date())), one.label)}
                  >
                    {one.label}
                  </button>
                </li>
              ))}
            </ul>
            <RangeForm range={range} mostDays={mostDays} onRange={(days) => choose(days, '')} />
          </div>
        );
      }}
    </Disclosure>
  );
}

type RangeFormProps = Pick<RangePickerProps, 'range' | 'mostDays'> & { onRange: (range: DayRange) => void };

function RangeForm({ range, mostDays, onRange }: RangeFormProps) {
  const [start, setStart] = useState(() => formatDate(range.start));
  const [end, setEnd] = useState(() => formatDate(range.end));
  const [problem, setProblem] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const read = readRange(start, end, mostDays);
    setProblem(typeof read === 'string' ? read : '');
    if (typeof read !== 'string') onRange(read);
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <DayField label="Von" text={start} onText={setStart} />
      <DayField label="Bis" text={end} onText={setEnd} />
      {problem !== '' && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <Button type="submit" size="xs">
        Anwenden
      </Button>
    </form>
  );
}

type DayFieldProps = { label: string; text: string; onText: (text: string) => void; error?: string };

/** A field for a day typed in German, whatever the browser's language is; the browser's own calendar opens next to it. */
export function DayField({ label, text, onText, error }: DayFieldProps) {
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.field}>
      <TextInput
        label={label}
        placeholder="TT.MM.JJJJ"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        error={error}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        rightSection={
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={`${label}: Kalender öffnen`}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden
        value={readDay(text) ?? ''}
        onChange={({ currentTarget }) => currentTarget.value !== '' && onText(formatDate(currentTarget.value))}
      />
    </div>
  );
}

/** Parses the typed range, or returns what is wrong with it. */
function readRange(from: string, until: string, mostDays: number): DayRange | string {
  const [start, end] = [readDay(from), readDay(until)];
  if (start === undefined || end === undefined) return 'Bitte beide Tage als TT.MM.JJJJ angeben.';
  if (end < start) return 'Das Ende liegt vor dem Anfang.';
  return dayCount({ start, end }) > mostDays ? `Möglich sind höchstens ${mostDays} Tage.` : { start, end };
}
