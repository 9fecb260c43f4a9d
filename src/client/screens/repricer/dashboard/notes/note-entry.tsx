import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { formatDate, formatWeekday } from '#client/ui/text/days.ts';
import type { DayNote } from './use-notes.ts';

type NoteEntryProps = { note: DayNote; mayEdit: boolean; onDeleted: () => void };

/** One note of the list; its deletion is asked about, since nothing brings it back. */
export function NoteEntry({ note: { id, date, note }, mayEdit, onDeleted }: NoteEntryProps) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const close = () => {
    setAsking(false);
    setFailure(null);
  };
  const remove = async () => {
    setFailure(null);
    try {
      await call(api.deleteNote, { params: { note: id } });
      showSaved('Notiz gelöscht');
      close();
      onDeleted();
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <li>
      <div className="k-between">
        <span className="k-muted k-small">{formatWeekday(date)}</span>
        {mayEdit && (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Notiz vom ${formatDate(date)} löschen`}
            title="Notiz löschen"
            onClick={() => setAsking(true)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <p>{note}</p>
      <ConfirmDialog
        opened={asking}
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
