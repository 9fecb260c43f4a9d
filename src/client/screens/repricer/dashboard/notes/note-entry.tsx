import { ActionIcon } from '@mantine/core';
import IconTrash from 'virtual:icons/trash';
import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call, CallError } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatDate, formatWeekday } from '#client/ui/text/days.ts';
import { useFailure } from '#client/use-failure.ts';
import type { DayNote } from './use-notes.ts';

/** `onDeleted` gets the list item, which disappears with the next answer. */
type NoteEntryProps = { note: DayNote; mayEdit: boolean; onDeleted: (entry: HTMLElement | null) => void };

/** Letters of a note that tell apart the buttons of two notes of one day. */
const NAMED_LETTERS = 40;

/** One note of the list; its deletion is asked about, since nothing brings it back. */
export function NoteEntry({ note: { id, date, note }, mayEdit, onDeleted }: NoteEntryProps) {
  const entry = useRef<HTMLLIElement>(null);
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const close = () => {
    setConfirming(false);
    setFailure(null);
  };
  const remove = async () => {
    setFailure(null);
    try {
      await call(api.deleteNote, { params: { note: id } });
    } catch (error) {
      // 404: another user has deleted it meanwhile, which is what was asked for.
      if (!(error instanceof CallError && error.status === 404)) {
        setFailure(failureOf('Fehler beim Löschen', error));
        return;
      }
    }
    showSaved('Notiz gelöscht');
    close();
    onDeleted(entry.current);
  };
  return (
    <li ref={entry}>
      <div className="k-between">
        <span className="k-muted k-small">{formatWeekday(date)}</span>
        {mayEdit && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Notiz vom ${formatDate(date)} löschen: ${note.slice(0, NAMED_LETTERS)}`}
            title="Notiz löschen"
            onClick={() => setConfirming(true)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <p>{note}</p>
      <ConfirmDialog
        opened={confirming}
        question="Diese Notiz wirklich löschen?"
        confirm="Löschen"
        danger
        onConfirm={remove}
        onClose={close}
      >
        <ErrorNotice failure={failure} />
        <p className="k-muted k-small">{formatWeekday(date)}</p>
        <p style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{note}</p>
      </ConfirmDialog>
    </li>
  );
}
