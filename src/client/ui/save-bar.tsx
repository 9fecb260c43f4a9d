import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import classes from './save-bar.module.css';

type SaveBarProps = {
  dirty: boolean;
  /** Stays in place without changes too, for forms that may be sent as they are. */
  always?: boolean;
  /** Number of changes, if the form can tell. */
  count?: number;
  busy?: boolean;
  saveLabel?: string;
  onSave: () => void;
  onDiscard: () => void;
};

/** Sticks to the bottom while something is unsaved, and only then. Strg+S saves too. */
export function SaveBar({
  dirty,
  always = false,
  count,
  busy = false,
  saveLabel = 'Speichern',
  onSave,
  onDiscard,
}: SaveBarProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if ((dirty || always) && !busy) onSave();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  if (!dirty && !always) return null;
  return (
    <section className={classes.bar} data-quiet={!dirty || undefined} aria-label="Speichern">
      <span className={classes.text} role="status">
        {dirty
          ? `Ungespeicherte Änderungen${count === undefined ? '' : ` (${count})`}`
          : 'Keine ungespeicherten Änderungen'}
      </span>
      {dirty && (
        <Button
          variant="transparent"
          className={classes.discard}
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={onDiscard}
          disabled={busy}
        >
          Verwerfen
        </Button>
      )}
      <Button
        className={classes.save}
        leftSection={<IconCheck size={16} aria-hidden />}
        onClick={onSave}
        loading={busy}
        aria-keyshortcuts="Control+S"
        title="Strg+S"
      >
        {saveLabel}
      </Button>
    </section>
  );
}
