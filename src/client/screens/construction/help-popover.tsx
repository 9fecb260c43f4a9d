import { ActionIcon, Popover } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import classes from './construction.module.css';

/** CON-02: the description of a field with its line breaks, on request. */
export function HelpPopover({ label, text }: { label: string; text: string }) {
  return (
    <Popover width="min(320px, 90vw)" position="bottom-end" withArrow shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" size={32} aria-label={label} title="Beschreibung">
          <IconHelpCircle size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <p className={classes.help}>{text}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
