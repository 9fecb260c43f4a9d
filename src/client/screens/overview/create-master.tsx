import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { leaveWithoutPrompt } from '#client/leaving/leaving.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { useFailure } from '#client/use-failure.ts';

/** Names a new catalogue and goes on to its first import. */
export default function CreateMaster({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const navigate = useNavigate();

  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const { masterid } = await call(api.createMaster, { body: { name } });
      await leaveWithoutPrompt(async () => navigate(pathTo(pages.import, { masterid })));
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormDialog opened dirty={name !== ''} onClose={onClose} title="Katalog anlegen">
      <form className="k-stack" onSubmit={(event) => void create(event)}>
        <ErrorNotice failure={failure} />
        <TextInput
          label="Name"
          description="Wie Sie den Katalog nennen, zum Beispiel nach Shop oder Lieferant."
          placeholder="z. B. Hauptkatalog"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Anlegen
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
