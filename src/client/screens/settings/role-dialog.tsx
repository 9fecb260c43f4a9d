import { Button, NativeSelect } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Member } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFailure } from '#client/use-failure.ts';
import { roleOf, roleOptions } from './role-options.ts';

type RoleDialogProps = { member: Member; own: boolean; onClose: () => void };

/** Changes the role of a member. */
export function RoleDialog({ member, own, onClose }: RoleDialogProps) {
  const [role, setRole] = useState(member.role);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const save = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await call(api.saveMemberRole, { params: { id: member.id }, body: { role } });
      showSaved('Rolle geändert');
      onClose();
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      setBusy(false);
    }
  };
  return (
    <FormDialog opened dirty={role !== member.role} onClose={onClose} title="Rolle ändern">
      <form className="k-stack" onSubmit={(event) => void save(event)}>
        <ErrorNotice failure={failure} />
        <NativeSelect
          label={`Rolle von ${member.name}`}
          description={member.email}
          data-autofocus
          value={role}
          onChange={({ currentTarget }) => setRole(roleOf(currentTarget.value))}
          data={roleOptions}
        />
        <p className="k-muted">
          {own
            ? 'Das ist Ihre eigene Rolle. Geben Sie Rechte ab, kann nur ein anderer sie Ihnen wiedergeben. Auf anderen Geräten melden Sie sich danach neu an.'
            : 'Die neue Rolle gilt sofort, auch für die API-Zugänge der Person. Zur Sicherheit wird sie überall abgemeldet und meldet sich einmal neu an; ein Link zu einem neuen Passwort, den sie noch nicht benutzt hat, gilt nicht mehr.'}
        </p>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button type="submit" loading={busy} disabled={role === member.role}>
            Speichern
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
