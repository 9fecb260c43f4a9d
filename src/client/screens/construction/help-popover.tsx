import { ActionIcon, Popover } from '@mantine/core';
import IconHelpCircle from 'virtual:icons/help-circle';
import { type ReactNode, useState } from 'react';
import classes from './construction.module.css';

/** CON-02: on request, the description of a field with its line breaks, and the channel's further rules. */
export function HelpPopover({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width="min(360px, 90vw)" position="bottom-end" withArrow shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size={32}
          aria-label={label}
          title="Beschreibung"
          onClick={() => setOpened(!opened)}
          // The focus stays on the button, where the popover does not hear the key.
          onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
        >
          <IconHelpCircle size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={classes.helpPanel}>
        {text.trim() !== '' && <p className={classes.help}>{text}</p>}
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
