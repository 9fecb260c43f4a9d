import { ActionIcon, Popover } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './construction.module.css';

/** CON-02: the description of a field with its line breaks, on request. */
export function HelpPopover({ label, text }: { label: string; text: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} width="min(320px, 90vw)" position="bottom-end" withArrow shadow="md">
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
      <Popover.Dropdown aria-label={label}>
        <p className={classes.help}>{text}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
