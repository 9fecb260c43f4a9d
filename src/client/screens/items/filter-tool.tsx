import { ActionIcon, Button, Checkbox, NativeSelect, Popover, Textarea, TextInput } from '@mantine/core';
import IconFilter from 'virtual:icons/filter';
import IconFilterFilled from 'virtual:icons/filter-filled';
import { type SyntheticEvent, useState } from 'react';
import { type FilterMode, type ItemFilter, itemFilterModes, MAX_FILTER_VALUE } from '#shared/items/schema.ts';
import { oneLine } from '#client/ui/form/one-line.ts';
import { modesOf, takesLines, takesValue, typedFilter, valueHint, valueProblem } from './item-filter.ts';

type FilterToolProps = {
  field: string;
  title: string;
  /** Number columns also compare by size. */
  numeric: boolean;
  filter: ItemFilter | undefined;
  onFilter: (filter: ItemFilter | null) => void;
  /** Only for picture columns. */
  image?: { onlyValid: boolean; onOnlyValid: (only: boolean) => void };
};

/** The filter in a column's head. */
export function FilterTool({ field, title, numeric, filter, onFilter, image }: FilterToolProps) {
  const [opened, setOpened] = useState(false);
  const active = filter !== undefined || image?.onlyValid === true;
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus width={260} position="bottom-end">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size={24}
          c={active ? 'var(--k-link)' : 'var(--k-muted)'}
          aria-label={active ? `${title}: Filter ändern` : `${title} filtern`}
          onClick={() => setOpened(!opened)}
        >
          {active ? <IconFilterFilled size={14} aria-hidden /> : <IconFilter size={14} aria-hidden />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Filter für ${title}`}>
        {opened && image !== undefined && <ImageForm {...image} onDone={() => setOpened(false)} />}
        {opened && (
          <FilterForm
            field={field}
            numeric={numeric}
            filter={filter}
            onFilter={(next) => {
              onFilter(next);
              setOpened(false);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

type FilterFormProps = Pick<FilterToolProps, 'field' | 'numeric' | 'filter' | 'onFilter'>;

function FilterForm({ field, numeric, filter, onFilter }: FilterFormProps) {
  const modes = modesOf(numeric);
  const [mode, setMode] = useState<FilterMode>(filter?.mode ?? modes[0] ?? 'contains');
  const [value, setValue] = useState(filter?.value ?? '');
  const [to, setTo] = useState(filter?.to ?? '');
  const typed = typedFilter(field, mode, value, to);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(typed);
  };
  const between = mode === 'between';
  const input = (label: string, text: string, onText: (text: string) => void, first: boolean) => (
    <TextInput
      size="xs"
      label={label}
      {...oneLine(text, onText)}
      error={valueProblem(mode, text)}
      description={valueHint(mode, text)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={MAX_FILTER_VALUE}
      data-autofocus={first || undefined}
    />
  );
  return (
    <form className="k-stack" style={{ gap: 10 }} onSubmit={submit}>
      <NativeSelect
        size="xs"
        label="Bedingung"
        value={mode}
        onChange={({ currentTarget }) => setMode(modes.find((name) => name === currentTarget.value) ?? mode)}
        data={modes.map((name) => ({ value: name, label: itemFilterModes[name] }))}
      />
      {takesLines(mode) && (
        <Textarea
          size="xs"
          label="Werte, je Zeile einer"
          value={value}
          rows={5}
          maxLength={MAX_FILTER_VALUE}
          data-autofocus
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      {takesValue(mode) && !takesLines(mode) && input(between ? 'Von' : 'Wert', value, setValue, true)}
      {between && input('Bis', to, setTo, false)}
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        {filter !== undefined && (
          <Button size="xs" variant="default" onClick={() => onFilter(null)}>
            Filter entfernen
          </Button>
        )}
        <Button size="xs" type="submit" disabled={typed === null}>
          Filtern
        </Button>
      </div>
    </form>
  );
}

function ImageForm({ onlyValid, onOnlyValid, onDone }: NonNullable<FilterToolProps['image']> & { onDone: () => void }) {
  const [checked, setChecked] = useState(onlyValid);
  const apply = () => {
    onOnlyValid(checked);
    onDone();
  };
  return (
    <fieldset style={{ margin: '0 0 12px', padding: '0 0 12px', border: 0, borderBottom: '1px solid var(--k-line)' }}>
      <legend className="k-strong k-small" style={{ padding: 0, marginBottom: 6 }}>
        Filter nach Bildstatus
      </legend>
      <Checkbox
        size="xs"
        label="Nur gültige Bilder anzeigen"
        checked={checked}
        onChange={({ currentTarget }) => setChecked(currentTarget.checked)}
      />
      <p className="k-muted" style={{ fontSize: 12, margin: '6px 0 8px' }}>
        Geprüft werden die Bilder der angezeigten Seite.
      </p>
      <Button size="xs" variant="default" onClick={apply}>
        Anwenden
      </Button>
    </fieldset>
  );
}
