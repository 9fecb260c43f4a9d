import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import classes from './search-field.module.css';

type SearchFieldProps = { label: string; search: string; onSearch: (search: string) => void };

/** Searches 400 ms after the last key, or at once with Enter. */
export function SearchField({ label, search, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(search);
  const send = useEffectEvent(() => {
    if (text !== search) onSearch(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => send(), 400);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => setText(search), [search]);
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
      onKeyDown={(event) => event.key === 'Enter' && onSearch(text)}
    />
  );
}
