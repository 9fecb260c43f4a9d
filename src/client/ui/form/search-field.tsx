import { TextInput } from '@mantine/core';
import IconSearch from 'virtual:icons/search';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { arrivedSearch, type SentSearches } from './sent-searches.ts';
import classes from './search-field.module.css';

type SearchFieldProps = { label: string; search: string; onSearch: (search: string) => void };

/** Searches 400 ms after the last key, or at once with Enter. The typed text stays until the search changes from outside. */
export function SearchField({ label, search, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(search);
  const sent = useRef<SentSearches>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const send = () => {
    clearTimeout(timer.current);
    sent.current = [...sent.current, text];
    onSearch(text);
  };
  const sendLate = useEffectEvent(() => {
    if (text !== (sent.current.at(-1) ?? search)) send();
  });
  useEffect(() => {
    timer.current = setTimeout(() => sendLate(), 400);
    return () => clearTimeout(timer.current);
  }, [text]);
  useEffect(() => {
    const underWay = arrivedSearch(sent.current, search);
    sent.current = underWay ?? [];
    if (underWay === undefined) setText(search);
  }, [search]);
  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  );
}
