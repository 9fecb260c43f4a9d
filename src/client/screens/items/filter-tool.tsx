import { ActionIcon, Button, Checkbox, NativeSelect, Popover, TextInput } from '@mantine/core';
import { IconFilter, IconFilterFilled } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { type ItemFilter, itemFilterModes } from '#shared/items/schema.ts';

type Modes = ItemFilter['mode'];
const modeNames = ['contains', 'is_equal', 'is_empty', 'is_not_empty'] as const satisfies readonly Modes[];
const withValue = new Set<Modes>(['contains', 'is_equal']);

type FilterToolProps = {
  field: string;
  title: string;
  filter: ItemFilter | undefined;
  onFilter: (filter: ItemFilter | null) => void;
  /** Only for columns of pictures. */
  image?: { onlyValid: boolean; onOnlyValid: (only: boolean) => void };
};

/** The filter in a column's head. */
export function FilterTool({ field, title, filter, onFilter, image }: FilterToolProps) {
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

function FilterForm({ field, filter, onFilter }: Pick<FilterToolProps, 'field' | 'filter' | 'onFilter'>) {
  const [mode, setMode] = useState<Modes>(filter?.mode ?? 'contains');
  const [value, setValue] = useState(filter?.value ?? '');
  const incomplete = withValue.has(mode) && value === '';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onFilter(incomplete ? null : { field, mode, value: withValue.has(mode) ? value : '' });
  };
  return (
    <form className="k-stack" style={{ gap: 10 }} onSubmit={submit}>
      <NativeSelect
        size="xs"
        label="Bedingung"
        value={mode}
        onChange={({ currentTarget }) => setMode(modeNames.find((name) => name === currentTarget.value) ?? 'contains')}
        data={modeNames.map((name) => ({ value: name, label: itemFilterModes[name] }))}
      />
      {withValue.has(mode) && (
        <TextInput
          size="xs"
          label="Wert"
          value={value}
          maxLength={1000}
          data-autofocus
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        {filter !== undefined && (
          <Button size="xs" variant="default" onClick={() => onFilter(null)}>
            Filter entfernen
          </Button>
        )}
        <Button size="xs" type="submit" disabled={incomplete}>
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
