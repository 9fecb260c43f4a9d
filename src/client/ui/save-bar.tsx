import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import classes from './save-bar.module.css';

type SaveBarProps = {
  dirty: boolean;
  /** Number of changes, if the form can tell. */
  count?: number;
  busy?: boolean;
  saveLabel?: string;
  onSave: () => void;
  onDiscard: () => void;
};

/** Sticks to the bottom while something is unsaved, and only then. Strg+S saves too. */
export function SaveBar({ dirty, count, busy = false, saveLabel = 'Speichern', onSave, onDiscard }: SaveBarProps) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (dirty && !busy) onSave();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  if (!dirty) return null;
  return (
    <section className={classes.bar} aria-label="Ungespeicherte Änderungen">
      <span className={classes.text} role="status">
        Ungespeicherte Änderungen{count === undefined ? '' : ` (${count})`}
      </span>
      <Button
        variant="transparent"
        className={classes.discard}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={onDiscard}
        disabled={busy}
      >
        Verwerfen
      </Button>
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
