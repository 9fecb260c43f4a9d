import { Button } from '@mantine/core';
import IconNotes from 'virtual:icons/notes';
import { useRef, useState } from 'react';
import { useMay } from '#client/shell/session.ts';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { type DayRange, formatDate, formatRange } from '#client/ui/text/days.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import { NoteDialog, type NoteDraft } from './note-dialog.tsx';
import { NoteEntry } from './note-entry.tsx';
import type { Notes } from './use-notes.ts';

type NoteListProps = { notes: Notes; range: DayRange; today: string };

/** The notes of the shown days as written, and a button to add one. */
export function NoteList({ notes, range, today }: NoteListProps) {
  const mayEdit = useMay('edit');
  const add = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState<NoteDraft>({ day: formatDate(today), text: '' });
  const shown = notes.notes.filter(({ date }) => range.start <= date && date <= range.end);
  const done = () => {
    setOpened(false);
    setDraft({ day: formatDate(today), text: '' });
  };
  const deleted = (entry: HTMLElement | null) => {
    notes.reload();
    // Its button had the focus, which would be lost with it.
    focusSoon(
      () => (entry?.isConnected === true ? null : add.current),
      (button) => button.focus({ preventScroll: true }),
    );
  };
  return (
    <section className="k-card k-stack" aria-labelledby="notizen">
      <div className="k-between">
        <h2 id="notizen">Notizen</h2>
        {mayEdit && (
          <Button
            ref={add}
            variant="default"
            size="xs"
            leftSection={<IconNotes size={16} aria-hidden />}
            onClick={() => setOpened(true)}
          >
            Notiz hinzufügen
          </Button>
        )}
      </div>
      <ErrorNotice failure={notes.failure} onRetry={notes.retry} />
      {shown.length === 0 ? (
        <p className="k-muted k-small">
          Keine Notiz zu {formatRange(range)}. Notizen stehen als Marken in den Diagrammen, für alle in Ihrer Firma.
        </p>
      ) : (
        <ul className={classes.notes} aria-label="Notizen zum Zeitraum">
          {shown.map((note) => (
            <NoteEntry key={note.id} note={note} mayEdit={mayEdit} onDeleted={deleted} />
          ))}
        </ul>
      )}
      <NoteDialog
        opened={opened}
        draft={draft}
        onDraft={setDraft}
        onClose={() => setOpened(false)}
        onCancel={done}
        onSaved={() => {
          done();
          notes.reload();
        }}
      />
    </section>
  );
}
