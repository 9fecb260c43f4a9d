import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { roles } from '#shared/account/roles.ts';
import type { Invitation, PersonalLink } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatDay } from '#client/ui/text/formats.ts';
import { useFormFailure } from '#client/use-failure.ts';
import type { HandedLink } from './link-dialog.tsx';
import classes from './members.module.css';
import { roleOf, roleOptions } from './role-options.ts';

/** Confirms that an invitation's link was sent, else shows it, to be handed over. */
function hand(email: string, { sent, link, problem }: PersonalLink, onLink: (link: HandedLink) => void): void {
  if (sent) showSaved('Einladung gesendet');
  else onLink({ title: `Einladung für ${email}`, link: link ?? '', problem, hours: '7 Tage' });
}

type InvitationsProps = {
  invitations: readonly Invitation[];
  /** Links can be sent by e-mail; otherwise they are shown to be handed over. */
  mail: boolean;
  onLink: (link: HandedLink) => void;
  onFailure: (failure: Failure | null) => void;
};

/** Invitations that have not been accepted yet. */
export function Invitations({ invitations, mail, onLink, onFailure }: InvitationsProps) {
  const { revalidate } = useRevalidator();
  const attempt = async (work: () => Promise<void>) => {
    onFailure(null);
    try {
      await work();
      await revalidate();
    } catch (error) {
      onFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  if (invitations.length === 0) return null;
  const resend = ({ id, email }: Invitation) =>
    attempt(async () => hand(email, await call(api.resendInvitation, { params: { id } }), onLink));
  const withdraw = ({ id }: Invitation) =>
    attempt(async () => {
      await call(api.withdrawInvitation, { params: { id } });
      showSaved('Einladung zurückgezogen');
    });
  return (
    <>
      <h3>Offene Einladungen</h3>
      <Table
        stacks
        label="Liste der offenen Einladungen"
        columns={invitationColumns(mail, resend, withdraw)}
        rows={invitations}
        rowId={({ id }) => id}
      />
    </>
  );
}

type Act = (invitation: Invitation) => Promise<void>;

const invitationColumns = (mail: boolean, resend: Act, withdraw: Act): readonly TableColumn<Invitation>[] => [
  {
    title: 'E-Mail',
    // The inviting person is below it: a column of its own would push the buttons out of sight on a tablet.
    cell: ({ email, invitedBy }) => (
      <span className="k-breaks" style={{ overflowWrap: 'anywhere' }}>
        {email}
        <span className="k-muted k-small" style={{ display: 'block' }}>
          Eingeladen von {invitedBy}
        </span>
      </span>
    ),
  },
  { title: 'Rolle', cell: ({ role }) => roles[role].label },
  { title: 'Gilt bis', cell: ({ expiresAt }) => formatDay(expiresAt) },
  {
    title: 'Aktion',
    kind: 'action',
    cell: (invitation) => (
      <InvitationActions
        email={invitation.email}
        mail={mail}
        onResend={() => resend(invitation)}
        onWithdraw={() => withdraw(invitation)}
      />
    ),
  },
];

type InvitationActionsProps = {
  email: string;
  mail: boolean;
  onResend: () => Promise<void>;
  onWithdraw: () => Promise<void>;
};

function InvitationActions({ email, mail, onResend, onWithdraw }: InvitationActionsProps) {
  // A second press would make another link, and the one shown could be the invalid one.
  const resend = useOnce(onResend);
  const withdraw = useOnce(onWithdraw);
  return (
    <div className={`k-row ${classes.actions}`}>
      <Button size="xs" variant="default" loading={resend.busy} onClick={resend.start}>
        {mail ? 'Erneut senden' : 'Neuer Link'}
        <span className="k-hidden">
          {mail ? ' an' : ' für'} {email}
        </span>
      </Button>
      <Button size="xs" variant="default" loading={withdraw.busy} onClick={withdraw.start}>
        Zurückziehen<span className="k-hidden"> {email}</span>
      </Button>
    </div>
  );
}

type InviteDialogProps = { mail: boolean; onClose: () => void; onLink: (link: HandedLink) => void };

/** Invites a person, who then chooses name and password. */
export function InviteDialog({ mail, onClose, onLink }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(roleOf('editor'));
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useFormFailure();
  const { revalidate } = useRevalidator();
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      const made = await call(api.invite, { body: { email, role } });
      onClose();
      hand(email, made, onLink);
      await revalidate();
    } catch (error) {
      setFailed({ failure: failureOf('Fehler beim Anlegen', error), error });
      setBusy(false);
    }
  };
  return (
    <FormDialog opened dirty={email !== ''} onClose={onClose} title="Benutzer einladen">
      <form className="k-stack" onSubmit={(event) => void send(event)}>
        <ErrorNotice failure={failed?.failure ?? null} />
        <TextInput
          label="E-Mail-Adresse"
          description={
            mail
              ? 'Die Person bekommt einen Link und wählt damit Namen und Passwort.'
              : 'Es ist kein Mailserver eingerichtet: Sie bekommen einen Link und geben ihn weiter. Damit wählt die Person Namen und Passwort.'
          }
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          data-autofocus
          value={email}
          error={fieldError(failed?.error, 'email')}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
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
          <Button type="submit" loading={busy}>
            Einladen
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
