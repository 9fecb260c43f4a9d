import { ActionIcon, Button } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import IconX from 'virtual:icons/x';
import { SortableRows } from '#client/ui/rows/sortable-rows.tsx';
import classes from '#client/fields/fields.module.css';
import { type Operand, OperandInput } from './operand-input.tsx';
import { usePartKeys } from './part-keys.ts';

type PartsEditorProps = {
  label: string;
  parts: readonly Operand[];
  /** HDR-05: prefix of the names under which a form post carries the parts. */
  purpose?: string;
  onChange: (parts: Operand[]) => void;
  most?: number;
  hintAt?: (index: number) => string | undefined;
};

/** Texts and fields that are joined in the given order; they can be added, removed and sorted. */
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
