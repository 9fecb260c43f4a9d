import { Checkbox, Combobox, Pill, PillsInput, useCombobox } from '@mantine/core';
import { useState } from 'react';
import classes from './pill-select.module.css';
import { formatInteger } from '#client/ui/text/formats.ts';

type Option = { value: string; label: string };
type PillSelectProps = {
  label: string;
  placeholder: string;
  options: readonly Option[];
  selected: readonly string[];
  onSelect: (selected: string[]) => void;
  /** The list begins with choices to select all and none; for lists of which users may want either. */
  withAll?: boolean;
  /** More labels than this are summed up as „+n“. */
  maxLabels?: number;
};

/** Options listed at once; more are found by typing. */
const shownAtOnce = 50;

/** Values of the two choices for all options; no option has such a value. */
const [ALL, NONE] = ['\u0000all', '\u0000none'];

/** Chooses several of many; the field shows the first few and how many more there are. */
export function PillSelect({
  label,
  placeholder,
  options,
  selected,
  onSelect,
  withAll = false,
  maxLabels = 3,
}: PillSelectProps) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const chosen = options.filter(({ value }) => selected.includes(value));
  const wanted = search.trim().toLowerCase();
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted));
  const toggle = (value: string) =>
    onSelect(selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value]);
  const submit = (value: string) => {
    if (value === ALL) onSelect(options.map((option) => option.value));
    else if (value === NONE) onSelect([]);
    else toggle(value);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit}>
      <Combobox.DropdownTarget>
        <PillsInput size="sm" className={classes.input} onClick={() => combobox.openDropdown()} pointer>
          <Pill.Group className={classes.pills}>
            {chosen.slice(0, maxLabels).map((option) => (
              <Pill key={option.value} className={classes.pill}>
                {option.label}
              </Pill>
            ))}
            {chosen.length > maxLabels && <Pill className={classes.more}>+{chosen.length - maxLabels}</Pill>}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                placeholder={placeholder}
                value={search}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setSearch(event.currentTarget.value);
                  combobox.openDropdown();
                  combobox.resetSelectedOption();
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label={label}>
          {withAll && wanted === '' && (
            <>
              <Combobox.Option value={ALL} disabled={chosen.length === options.length}>
                Alle auswählen
              </Combobox.Option>
              <Combobox.Option value={NONE} disabled={chosen.length === 0}>
                Keine auswählen
              </Combobox.Option>
            </>
          )}
          {found.slice(0, shownAtOnce).map(({ value, label: text }) => (
            <Combobox.Option key={value} value={value} active={selected.includes(value)}>
              <span className="k-row" style={{ flexWrap: 'nowrap' }}>
                <Checkbox.Indicator checked={selected.includes(value)} size="xs" aria-hidden />
                {text}
              </span>
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty c="var(--k-muted)">Nichts gefunden</Combobox.Empty>}
          {found.length > shownAtOnce && (
            <Combobox.Empty c="var(--k-muted)">
              {formatInteger(found.length - shownAtOnce)} weitere, bitte eingrenzen
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
