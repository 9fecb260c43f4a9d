import { useEffect, useRef, useState } from 'react';
import { DayField } from '#client/ui/form/range-picker.tsx';
import { formatDate, readDay } from '#client/ui/text/days.ts';

type DayFilterProps = { label: string; day: string | undefined; onDay: (day: string | undefined) => void };

/** A day as a filter: applied once its whole year is typed, with Enter, or on blur. */
export function DayFilter({ label, day, onDay }: DayFilterProps) {
  const [text, setText] = useState(day === undefined ? '' : formatDate(day));
  const [wrong, setWrong] = useState(false);
  /** The day last applied by this field; the URL follows a moment later. */
  const taken = useRef(day);
  useEffect(() => {
    if (day === taken.current) return;
    taken.current = day;
    setText(day === undefined ? '' : formatDate(day));
    setWrong(false);
  }, [day]);
  const take = (typed: string) => {
    const next = readDay(typed);
    const isNone = next === undefined && typed.trim() !== '';
    setWrong(isNone);
    if (isNone) return;
    if (next !== undefined) setText(formatDate(next));
    if (next === taken.current) return;
    taken.current = next;
    onDay(next);
  };
  const type = (typed: string) => {
    setText(typed);
    setWrong(false);
    if (typed.trim() === '' || (/\d{4}\s*$/.test(typed) && readDay(typed) !== undefined)) take(typed);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only handles blur of its field
    <form
      noValidate
      style={{ width: 160 }}
      onSubmit={(event) => {
        event.preventDefault();
        take(text);
      }}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && take(text)}
    >
      <DayField
        label={label}
        text={text}
        onText={type}
        {...(wrong ? { error: 'Bitte den Tag als TT.MM.JJJJ angeben.' } : {})}
      />
    </form>
  );
}
