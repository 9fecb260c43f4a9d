import { Combobox, type ComboboxStore, InputBase, useCombobox } from '@mantine/core';
import { type KeyboardEvent, type UIEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ValueType } from '#shared/values/schema.ts';
import classes from '#client/fields/fields.module.css';
import { formatInteger } from '#client/ui/text/formats.ts';
import { asOneLine, fromOneLine } from '#client/ui/form/one-line.ts';
import { HiddenChoice } from './hidden-choice.tsx';
import {
  countEntries,
  entryOf,
  findEntries,
  firstEntries,
  type PickerEntry,
  type PickerGroup,
  textEntry,
  typedEntry,
} from './picker-groups.ts';
import { nameOfReference } from './references.ts';

type FieldPickerProps = {
  label: string;
  groups: readonly PickerGroup[];
  value: string;
  /** Tells apart equal values under two headings; without it the value alone decides. */
  type?: ValueType;
  onChange: (entry: PickerEntry) => void;
  /** HDR-05: prefix of the names under which a form post carries the choice; null if another control does. */
  purpose?: string | null;
  placeholder?: string;
  /** Opens at once and takes the focus: for cells that are pickers only while the user chooses. */
  autoOpen?: boolean;
  onClose?: () => void;
  /** Offers at most this many entries; more are found by typing. */
  most?: number;
  /** Pixels; the default fits ten entries. */
  listHeight?: number;
  /** Offers to create a field named as typed. */
  creatable?: boolean;
  /** Offers the typed text as a fixed text (GEN-08: _string); leaving the field without a choice also takes it. */
  freeText?: boolean;
  disabled?: boolean;
  error?: string;
  hint?: string;
  className?: string;
  /** Shown if the list is empty. */
  nothing?: string;
};

/** GEN-07: entries shown at a time; scrolling and the arrow keys add more. */
const atATime = 50;

/** Chooses a field from a list or by typing (GEN-07, GEN-08). */
export function FieldPicker(props: FieldPickerProps) {
  const {
    label,
    groups,
    value,
    type,
    onChange,
    purpose = 'field',
    nothing = 'Kein Feld gefunden',
    placeholder = 'Feld wählen',
    creatable = false,
    freeText = false,
    autoOpen = false,
    onClose,
    most = Number.POSITIVE_INFINITY,
    listHeight,
    disabled,
    error,
    hint,
  } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [, setNamed] = useState(false);
  const combobox = useCombobox({
    loop: false,
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active');
      // The list has its id once it is rendered; the field can refer to it (aria-controls) one render later.
      requestAnimationFrame(() => setNamed(true));
    },
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setTyped(null);
      part.reset();
      onClose?.();
    },
  });
  const open = useEffectEvent(() => combobox.openDropdown());
  useEffect(() => {
    if (autoOpen) open();
  }, [autoOpen]);
  const matching = findEntries(groups, typed ?? '');
  const all = countEntries(matching);
  const found = firstEntries(matching, most);
  const total = countEntries(found);
  const part = useShownPart(total);
  // A form has many pickers; only an open one holds options. The empty list stays,
  // because the field refers to it (aria-controls).
  const shown = combobox.dropdownOpened ? firstEntries(found, part.count) : [];
  const created = creatable
    ? newEntry(groups, typed)
    : freeText && typed !== null && typed.trim() !== ''
      ? textEntry(typed)
      : undefined;
  useFirstFound(combobox, typed);
  const named = type === '_string' ? value : nameOfReference(value);
  const text = typed ?? entryOf(groups, value, type)?.name ?? named;

  const submit = (key: string) => {
    const entry =
      keyOf(created) === key ? created : shown.flatMap((group) => group.entries).find((one) => keyOf(one) === key);
    combobox.closeDropdown();
    if (entry !== undefined) onChange(entry);
  };
  const onBlur = () => {
    const left = freeText ? typedEntry(groups, typed) : undefined;
    combobox.closeDropdown();
    if (left !== undefined) onChange(left);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' && combobox.getSelectedOptionIndex() >= Math.min(part.count, total) - 2) part.grow();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit} position="bottom-start" width="max-content">
      <Combobox.Target withExpandedAttribute>
        <InputBase
          className={props.className}
          aria-label={label}
          placeholder={placeholder}
          title={asOneLine(named)}
          disabled={disabled}
          error={error}
          description={error === undefined ? hint : undefined}
          inputWrapperOrder={['input', 'description', 'error']}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- an opened cell is where the user types on
          autoFocus={autoOpen}
          spellCheck={false}
          maxLength={500}
          data-takes-when-left={freeText || undefined}
          value={asOneLine(text)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onClick={() => combobox.openDropdown()}
          onBlur={onBlur}
          onChange={({ currentTarget }) => {
            setTyped(fromOneLine(currentTarget.value, text));
            part.reset();
            combobox.openDropdown();
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      {purpose !== null && <HiddenChoice purpose={purpose} type={type ?? typeOf(groups, value)} value={value} />}
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Options {...part.list} className={classes.options} mah={listHeight} aria-label={label}>
          {shown.map((group) => (
            <OptionGroup key={group.heading} group={group} chosen={entryOf(groups, value, type)} />
          ))}
          {created !== undefined && (
            <Combobox.Option value={keyOf(created)}>
              {creatable ? `Neues Feld „${created.name}“ anlegen` : `Fester Text „${created.name}“`}
            </Combobox.Option>
          )}
        </Combobox.Options>
        {all > total && combobox.dropdownOpened && (
          <p className={classes.more} role="status">
            Die ersten {formatInteger(total)} von {formatInteger(all)}. Tippen Sie weiter, um die übrigen zu finden.
          </p>
        )}
        {total === 0 && created === undefined && <p className={classes.nothing}>{nothing}</p>}
      </Combobox.Dropdown>
    </Combobox>
  );
}

function OptionGroup({ group, chosen }: { group: PickerGroup; chosen: PickerEntry | undefined }) {
  const options = group.entries.map((entry) => (
    <Combobox.Option
      key={keyOf(entry)}
      value={keyOf(entry)}
      active={entry === chosen}
      aria-selected={entry === chosen}
      className={classes.option}
    >
      {entry.name}
      {entry.note !== undefined && <span className={classes.note}>{entry.note}</span>}
    </Combobox.Option>
  ));
  return group.heading === '' ? options : <Combobox.Group label={group.heading}>{options}</Combobox.Group>;
}

/** How much of a list is shown: it grows near its end, and starts anew. */
function useShownPart(total: number) {
  const [count, setCount] = useState(atATime);
  const ref = useRef<HTMLDivElement>(null);
  const grow = () => setCount((now) => (now < total ? now + atATime : now));
  const reset = () => {
    setCount(atATime);
    // Near its end, the shorter list would grow again at once.
    if (ref.current !== null) ref.current.scrollTop = 0;
  };
  // A closed list is empty; the event of the scroll back to its top may come only then.
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) =>
    void (currentTarget.childElementCount > 0 && isNearItsEnd(currentTarget) && grow());
  return { count, grow, reset, list: { ref, onScroll } };
}

const isNearItsEnd = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight > scrollHeight - 200;

/** After typing, Enter takes the first match. */
function useFirstFound(combobox: ComboboxStore, typed: string | null): void {
  const selectFirst = useEffectEvent(() => void combobox.selectFirstOption());
  useEffect(() => {
    if (typed !== null && typed !== '') selectFirst();
  }, [typed]);
}

/** A value that is no longer offered is still a field; no choice has no type. */
const typeOf = (groups: readonly PickerGroup[], value: string): string =>
  entryOf(groups, value)?.type ?? (value === '' ? '' : '_field');

const keyOf = (entry: PickerEntry | undefined): string => (entry === undefined ? '' : `${entry.type} ${entry.value}`);

/** Returns the typed text as a new field; undefined if a field of that name exists or the name is reserved. */
function newEntry(groups: readonly PickerGroup[], typed: string | null): PickerEntry | undefined {
  const name = typed?.trim() ?? '';
  if (name === '' || name.startsWith('@') || name === '_id') return undefined;
  const known = groups.some(({ entries }) => entries.some((entry) => entry.name === name || entry.value === name));
  return known ? undefined : { type: '_field', value: name, name };
}
