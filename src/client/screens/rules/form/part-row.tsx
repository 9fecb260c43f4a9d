import { ActionIcon, Button } from '@mantine/core';
import IconCopy from 'virtual:icons/copy';
import IconPlus from 'virtual:icons/plus';
import IconX from 'virtual:icons/x';
import type { MouseEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import classes from '#client/screens/rules/rules.module.css';

type PartRowProps = {
  /** 'Wenn', 'dann' or 'und'. */
  keyword: string;
  /** Name of the row: „Bedingung 2“. */
  name: string;
  handle?: ReactNode;
  /** Absent for users with read access only. */
  onCopy?: () => void;
  /** Absent for the only row (RUL-09), and for users with read access only. */
  onRemove?: () => void;
  /** Shown below the sentence. */
  foot?: ReactNode;
  children: ReactNode;
};

/** One condition or action: the keyword, the sentence, and the row's buttons. */
export function PartRow({ keyword, name, handle, onCopy, onRemove, foot, children }: PartRowProps) {
  return (
    <div className={classes.part} role="group" aria-label={name} data-part>
      <span className={classes.keyword}>
        {handle}
        {keyword}
      </span>
      <div className={classes.sentence}>
        {children}
        {foot !== undefined && <div className={classes.foot}>{foot}</div>}
      </div>
      <div className={classes.tools}>
        {onCopy !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={`${name} kopieren`}
            title="Kopieren"
            onClick={onCopy}
          >
            <IconCopy size={16} aria-hidden />
          </ActionIcon>
        )}
        {onRemove !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={`${name} entfernen`}
            title="Entfernen"
            onClick={onRemove}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </div>
  );
}

/**
 * Adds a condition or an action below the others, and focuses its first field; `what` completes „und: … hinzufügen“.
 */
export function AddPart({ what, onAdd }: { what: string; onAdd: () => void }) {
  const add = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    flushSync(onAdd);
    const parts = currentTarget.closest('[role="group"]')?.querySelectorAll('[data-part]') ?? [];
    [...parts].at(-1)?.querySelector<HTMLElement>('input:not([type="hidden"]), select')?.focus();
  };
  return (
    <Button
      variant="subtle"
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      aria-label={`und: ${what} hinzufügen`}
      onClick={add}
    >
      und
    </Button>
  );
}
