import { ActionIcon, Popover } from '@mantine/core';
import IconHelpCircle from 'virtual:icons/help-circle';
import { type ReactNode, useState } from 'react';
import classes from './help-popover.module.css';

type HelpPopoverProps = {
  /** The field that is described. */
  name: string;
  what: 'Beschreibung' | 'Notiz';
  text: string;
  /** For the head of a table. */
  small?: boolean;
  /** Further content below the text. */
  children?: ReactNode;
};

/** On request, a text about a field with its line breaks: a button, so that it is reached by keyboard and touch as well. */
export function HelpPopover({ name, what, text, small = false, children }: HelpPopoverProps) {
  const [opened, setOpened] = useState(false);
  const label = `${name}: ${what}`;
  return (
    <Popover opened={opened} onChange={setOpened} width="min(360px, 90vw)" position="bottom-end" withArrow shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size={small ? 24 : 32}
          aria-label={label}
          title={what}
          onClick={() => setOpened(!opened)}
          // The focus stays on the button, where the popover does not hear the key.
          onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
        >
          <IconHelpCircle size={small ? 14 : 18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={classes.panel}>
        {text.trim() !== '' && <p className={classes.text}>{text}</p>}
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
