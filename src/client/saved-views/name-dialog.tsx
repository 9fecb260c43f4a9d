import { Button, Checkbox, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { MAX_VIEW_NAME, type SavedView } from '#shared/saved-views/schema.ts';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { useMay } from '#client/shell/session.ts';

type NameDialogProps = {
  /** The view to rename; undefined for a new one. */
  view: SavedView | undefined;
  /** Closes the dialog itself after success. */
  onSave: (name: string, shared: boolean) => Promise<void>;
  onClose: () => void;
};

/** Asks for a view's name and whether the company sees it. */
export function NameDialog({ view, onSave, onClose }: NameDialogProps) {
  const mayEdit = useMay('edit');
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || busy) return;
    setBusy(true);
    await onSave(name.trim(), shared);
    setBusy(false);
  };
  return (
    <FormDialog
      opened
      dirty={name !== (view?.name ?? '') || shared !== (view?.shared ?? false)}
      onClose={onClose}
      title={view === undefined ? 'Ansicht speichern' : 'Ansicht umbenennen oder teilen'}
    >
      <form className="k-stack" onSubmit={(event) => void save(event)} noValidate>
        <TextInput
          label="Name"
          maxLength={MAX_VIEW_NAME}
          data-autofocus
          value={name}
          error={tried && name.trim() === '' ? 'Bitte geben Sie der Ansicht einen Namen.' : undefined}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {(mayEdit || shared) && (
          <Checkbox
            label="Für alle in der Firma"
            description="Wer bearbeiten darf, kann eine geteilte Ansicht auch ändern."
            checked={shared}
            disabled={!mayEdit}
            onChange={({ currentTarget }) => setShared(currentTarget.checked)}
          />
        )}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy}>
            Speichern
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
