import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { SortableRows } from '../ui/sortable-rows.tsx';
import classes from './fields.module.css';
import { type Operand, OperandInput } from './operand-input.tsx';

type PartsEditorProps = {
  label: string;
  parts: readonly Operand[];
  /** HDR-05: the beginning of the names under which a form post carries the parts. */
  purpose?: string;
  onChange: (parts: Operand[]) => void;
  most?: number;
  hintAt?: (index: number) => string | undefined;
};

/** Texts and fields that are joined as given; they are added, removed and put in order. */
export function PartsEditor({ label, parts, purpose = 'parts', onChange, most = 50, hintAt }: PartsEditorProps) {
  const keys = usePartKeys(parts.length);
  const rows = parts.map((part, index) => ({ part, index, key: keys.list[index] ?? String(index) }));
  const replace = (index: number, part: Operand) => onChange(parts.map((old, at) => (at === index ? part : old)));
  const remove = (index: number) => {
    keys.set(keys.list.toSpliced(index, 1));
    onChange(parts.toSpliced(index, 1));
  };
  return (
    <div className={classes.parts} role="group" aria-label={label}>
      <SortableRows
        rows={rows}
        rowId={({ key }) => key}
        rowName={(_, index) => `Teil ${index + 1}`}
        rowClassName={() => classes.part ?? ''}
        onOrder={(order) => {
          keys.set(order.map(({ key }) => key));
          onChange(order.map(({ part }) => part));
        }}
      >
        {({ part, index }, handle, place) => (
          <>
            {handle}
            <OperandInput
              label={`${label}, Teil ${place + 1}`}
              operand={part}
              purpose={`${purpose}.${place}`}
              onChange={(next) => replace(index, next)}
              hint={hintAt?.(index)}
            />
            {parts.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                className={classes.tool}
                aria-label={`Teil ${place + 1} entfernen`}
                title="Teil entfernen"
                onClick={() => remove(index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </>
        )}
      </SortableRows>
      {parts.length < most && (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...parts, { type: '_string', value: '' }])}
        >
          Teil hinzufügen
        </Button>
      )}
    </div>
  );
}

/** Parts have no ids on the wire, but a list that is sorted needs some. */
function usePartKeys(count: number) {
  const id = useId();
  const [made, setMade] = useState<{ list: string[]; next: number }>(() => ({
    list: Array.from({ length: count }, (_, index) => `${id}${index}`),
    next: count,
  }));
  let now = made;
  if (made.list.length !== count) {
    const missing = Math.max(0, count - made.list.length);
    const fresh = Array.from({ length: missing }, (_, index) => `${id}${made.next + index}`);
    now = { list: [...made.list.slice(0, count), ...fresh], next: made.next + missing };
    setMade(now);
  }
  return { list: now.list, set: (list: string[]) => setMade({ ...now, list }) };
}
