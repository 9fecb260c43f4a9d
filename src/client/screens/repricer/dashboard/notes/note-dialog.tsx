import { Button, Modal, Textarea } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { DayField } from '#client/ui/form/range-picker.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { readDay } from '#client/ui/text/days.ts';
import { useFailure } from '#client/use-failure.ts';

export type NoteDraft = { day: string; text: string };
type NoteDialogProps = {
  opened: boolean;
  /** Held by the parent: typed text outlives the dialog until it is saved or discarded. */
  draft: NoteDraft;
  onDraft: (draft: NoteDraft) => void;
  onClose: () => void;
  onCancel: () => void;
  onSaved: () => void;
};

/** RDA-09: writes a note to a day. After a failure it stays open with everything typed. */
export function NoteDialog({ opened, draft, onDraft, onClose, onCancel, onSaved }: NoteDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const [tried, setTried] = useState(false);
  const date = readDay(draft.day);
  const note = draft.text.trim();
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (date === undefined || note === '' || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await call(api.addNote, { body: { date, note } });
      setTried(false);
      showSaved('Notiz gespeichert');
      onSaved();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      title={<span className="k-strong">Notiz hinzufügen</span>}
    >
      <form className="k-stack" onSubmit={(event) => void save(event)} noValidate>
        <ErrorNotice failure={failure} />
        <DayField
          label="Datum"
          text={draft.day}
          onText={(day) => onDraft({ ...draft, day })}
          {...(tried && date === undefined ? { error: 'Bitte den Tag als TT.MM.JJJJ angeben.' } : {})}
        />
        <Textarea
          label="Notiz"
          autosize
          minRows={4}
          maxRows={12}
          maxLength={2000}
          data-autofocus
          value={draft.text}
          error={tried && note === '' ? 'Bitte schreiben Sie etwas.' : undefined}
          onChange={({ currentTarget }) => onDraft({ ...draft, text: currentTarget.value })}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button
            variant="default"
            onClick={() => {
              setFailure(null);
              setTried(false);
              onCancel();
            }}
          >
            Abbrechen
          </Button>
          <Button type="submit" loading={busy}>
            Speichern
          </Button>
        </div>
      </form>
    </Modal>
  );
}
