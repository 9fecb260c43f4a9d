import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { roles, type Token } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatDay, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { SecretDialog } from '#client/ui/secret-dialog.tsx';
import { roleOf, roleOptions } from './members.tsx';

/** Access for programs: each token has a role and can be taken back. */
export function Tokens({ tokens }: { tokens: readonly Token[] }) {
  const [creating, setCreating] = useState(false);
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval(({ id }: Token) =>
    call(api.deleteToken, { params: { id } }),
  );
  return (
    <section className="k-card k-stack" aria-labelledby="zugaenge">
      <div className="k-between">
        <h2 id="zugaenge">API-Zugänge</h2>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Zugang anlegen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {tokens.length === 0 ? (
        <p className="k-muted">
          Noch kein Zugang. Legen Sie einen an, damit Ihre Warenwirtschaft selbst importieren kann.
        </p>
      ) : (
        <TokenTable tokens={tokens} onDelete={setLeaving} />
      )}
      {creating && <NewToken onClose={() => setCreating(false)} />}
      <ConfirmDialog
        opened={leaving !== null}
        question="API-Zugang wirklich löschen?"
        confirm="Löschen"
        danger
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        Programme mit dem Zugang „{leaving?.name}“ können danach nicht mehr zugreifen.
      </ConfirmDialog>
    </section>
  );
}

function TokenTable({ tokens, onDelete }: { tokens: readonly Token[]; onDelete: (token: Token) => void }) {
  return (
    <ScrollRegion label="Liste der API-Zugänge">
      <table className="k-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Rolle</th>
            <th scope="col">Angelegt</th>
            <th scope="col">Zuletzt benutzt</th>
            <th scope="col">
              <span className="k-hidden">Aktion</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>{token.name}</td>
              <td>{roles[token.role].label}</td>
              <td>{formatDay(token.createdAt)}</td>
              <td>{token.lastUsedAt === null ? 'noch nie' : formatTime(token.lastUsedAt)}</td>
              <td className="k-number">
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconTrash size={14} aria-hidden />}
                  onClick={() => onDelete(token)}
                >
                  Löschen
                  <span className="k-hidden"> {token.name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState(roleOf('editor'));
  const [busy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { revalidate } = useRevalidator();
  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      setSecret((await call(api.createToken, { body: { name, role } })).token);
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
    } finally {
      setBusy(false);
    }
  };
  if (secret !== null)
    return (
      <SecretDialog title="Ihr neuer API-Zugang" secret={secret} onClose={onClose}>
        Ihr Programm sendet es als <code>Authorization: Bearer …</code>
      </SecretDialog>
    );
  return (
    <Modal opened onClose={onClose} title={<span className="k-strong">API-Zugang anlegen</span>}>
      <form className="k-stack" onSubmit={(event) => void create(event)}>
        <ErrorNotice failure={failure} />
        <TextInput
          label="Name"
          description="Wofür der Zugang ist, zum Beispiel Warenwirtschaft."
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Rolle"
          value={role}
          onChange={({ currentTarget }) => setRole(roleOf(currentTarget.value))}
          data={roleOptions}
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
    </Modal>
  );
}
