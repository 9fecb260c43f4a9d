import { Menu } from '@mantine/core';
import IconArrowBarToDown from 'virtual:icons/arrow-bar-to-down';
import IconArrowBarToUp from 'virtual:icons/arrow-bar-to-up';
import IconArrowDown from 'virtual:icons/arrow-down';
import IconArrowUp from 'virtual:icons/arrow-up';
import IconGripVertical from 'virtual:icons/grip-vertical';
import { type KeyboardEvent, memo, type Ref, useRef, useState } from 'react';
import classes from './row-handle.module.css';
import type { Place } from './row-order.ts';

type RowHandleProps = {
  ref: Ref<HTMLButtonElement>;
  id: string;
  name: string;
  index: number;
  count: number;
  onMove: (id: string, to: Place) => void;
};

const places = [
  { to: 'up', label: 'Nach oben', icon: IconArrowUp },
  { to: 'down', label: 'Nach unten', icon: IconArrowDown },
  { to: 'first', label: 'An den Anfang', icon: IconArrowBarToUp },
  { to: 'last', label: 'Ans Ende', icon: IconArrowBarToDown },
] as const;

/** Handle of a row: drag it, or open its menu by click or Enter; Alt with an arrow key moves the row at once. */
export const RowHandle = memo(function RowHandle({ ref, id, name, index, count, onMove }: RowHandleProps) {
  const [opened, setOpened] = useState(false);
  const spaced = useRef(false);
  const onKeyDown = (event: KeyboardEvent) => {
    // The space bar starts the drag; the click it triggers on release must not open the menu.
    spaced.current = event.key === ' ';
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(id, event.key === 'ArrowUp' ? 'up' : 'down');
  };
  return (
    <Menu
      opened={opened}
      onChange={(open) => setOpened(open && !spaced.current)}
      position="bottom-start"
      trigger="click"
    >
      <Menu.Target>
        <button
          ref={ref}
          type="button"
          className={classes.handle}
          aria-label={`${name} verschieben`}
          onKeyDown={onKeyDown}
          onPointerDown={() => void (spaced.current = false)}
        >
          <IconGripVertical size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {places.map(({ to, label, icon: Icon }) => (
          <Menu.Item
            key={to}
            leftSection={<Icon size={16} aria-hidden />}
            disabled={to === 'up' || to === 'first' ? index === 0 : index === count - 1}
            onClick={() => onMove(id, to)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
