import { Button, Modal, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type Member, type Role, roleNames, roles } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

export const roleOptions = roleNames.map((value) => ({ value, label: roles[value].label }));
export const roleOf = (text: string): Role => roleNames.find((name) => name === text) ?? 'viewer';

/** The people of the company and what they may do. */
export function Members({ members, ownId }: { members: readonly Member[]; ownId: string }) {
  const [creating, setCreating] = useState(false);
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval(
    ({ id }: Member) => call(api.deleteMember, { params: { id } }),
    'Entfernt',
  );
  return (
    <section className="k-card k-stack" aria-labelledby="benutzer">
      <div className="k-between">
        <h2 id="benutzer">Benutzer</h2>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Benutzer anlegen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <ScrollRegion label="Liste der Benutzer">
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">E-Mail-Adresse</th>
              <th scope="col">Rolle</th>
              <th scope="col">
                <span className="k-hidden">Aktion</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  {member.name}
                  {member.id === ownId && <span className="k-muted"> (Sie)</span>}
                </td>
                <td>{member.email}</td>
                <td>{roles[member.role].label}</td>
                <td className="k-number">
                  {member.id !== ownId && (
                    <Button
                      size="xs"
                      variant="default"
                      leftSection={<IconTrash size={14} aria-hidden />}
                      onClick={() => setLeaving(member)}
                    >
                      Entfernen
                      <span className="k-hidden"> {member.name}</span>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {creating && <NewMember onClose={() => setCreating(false)} />}
      <ConfirmDialog
        opened={leaving !== null}
        question="Benutzer wirklich entfernen?"
        confirm="Entfernen"
        danger
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        {leaving?.name} ({leaving?.email}) kann sich danach nicht mehr anmelden.
      </ConfirmDialog>
    </section>
  );
}

function NewMember({ onClose }: { onClose: () => void }) {
  const [member, setMember] = useState({ name: '', email: '', password: '', role: roleOf('editor') });
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; error: unknown } | null>(null);
  const { revalidate } = useRevalidator();
  const set = (changed: Partial<typeof member>) => setMember((now) => ({ ...now, ...changed }));
  const errorOf = (field: string) => fieldError(failed?.error, field);
  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      await call(api.createMember, { body: member });
      showSaved('Benutzer angelegt');
      onClose();
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Anlegen', error), error });
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={<span className="k-strong">Benutzer anlegen</span>}>
      <form className="k-stack" onSubmit={(event) => void create(event)}>
        <ErrorNotice failure={failed?.failure ?? null} />
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={member.name}
          error={errorOf('name')}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <TextInput
          label="E-Mail-Adresse"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          value={member.email}
          error={errorOf('email')}
          onChange={({ currentTarget }) => set({ email: currentTarget.value })}
        />
        <PasswordInput
          label="Passwort"
          description="Mindestens 12 Zeichen. Geben Sie es auf sicherem Weg weiter."
          required
          minLength={12}
          maxLength={128}
          autoComplete="new-password"
          value={member.password}
          error={errorOf('password')}
          onChange={({ currentTarget }) => set({ password: currentTarget.value })}
          visibilityToggleButtonProps={{
            'aria-label': 'Passwort anzeigen oder verbergen',
            tabIndex: 0,
            'aria-hidden': false,
          }}
        />
        <NativeSelect
          label="Rolle"
          value={member.role}
          onChange={({ currentTarget }) => set({ role: roleOf(currentTarget.value) })}
          data={roleOptions}
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy}>
            Anlegen
          </Button>
        </div>
      </form>
    </Modal>
  );
}
