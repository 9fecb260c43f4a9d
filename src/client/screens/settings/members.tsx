import { Button } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import { useState } from 'react';
import { roles } from '#shared/account/roles.ts';
import type { Invitation, Member } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { Invitations, InviteDialog } from './invitations.tsx';
import { type HandedLink, LinkDialog } from './link-dialog.tsx';
import { MemberActions } from './member-actions.tsx';
import { RoleDialog } from './role-dialog.tsx';

const unseen = ({ title }: HandedLink) => ({
  title: 'Der Link wurde nicht gezeigt',
  message: `${title}: Er wurde erzeugt, als Sie die Seite schon verlassen hatten. Bitte erzeugen Sie unter „Einstellungen“ einen neuen.`,
});

type MembersProps = { members: readonly Member[]; invitations: readonly Invitation[]; mail: boolean; ownId: string };

/** The members of the company and their permissions. */
export function Members({ members, invitations, mail, ownId }: MembersProps) {
  const [inviting, setInviting] = useState(false);
  const [changing, setChanging] = useState<Member | null>(null);
  // Shown one after the other: each can be seen only once.
  const [links, setLinks] = useState<readonly HandedLink[]>([]);
  const [link] = links;
  const isGone = useGone();
  const addLink = (made: HandedLink) => (isGone() ? showFailure(unseen(made)) : setLinks((all) => [...all, made]));
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval(
    ({ id }: Member) => call(api.deleteMember, { params: { id } }),
    'Entfernt',
  );
  const signOut = useRemoval(
    ({ id }: Member) => call(api.endMemberSessions, { params: { id } }),
    'Überall abgemeldet',
    'Fehler beim Abmelden',
  );
  const sendPasswordLink = async ({ id, name, email }: Member) => {
    setFailure(null);
    try {
      const { sent, link: made, problem } = await call(api.memberPasswordLink, { params: { id } });
      if (sent) showSaved(`Link an ${email} gesendet`);
      else addLink({ title: `Passwort-Link für ${name}`, link: made ?? '', problem, hours: '24 Stunden' });
    } catch (error) {
      setFailure(failureOf('Fehler beim Anlegen', error));
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="benutzer">
      <div className="k-between">
        <h2 id="benutzer">Benutzer</h2>
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          Benutzer einladen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <ErrorNotice failure={signOut.failure} onClose={() => signOut.setFailure(null)} />
      <Table
        stacks
        label="Liste der Benutzer"
        columns={memberColumns({
          ownId,
          onRole: setChanging,
          onPassword: sendPasswordLink,
          onSignOut: signOut.setLeaving,
          onRemove: setLeaving,
        })}
        rows={members}
        rowId={({ id }) => id}
      />
      <Invitations invitations={invitations} mail={mail} onLink={addLink} onFailure={setFailure} />
      {changing !== null && (
        <RoleDialog member={changing} own={changing.id === ownId} onClose={() => setChanging(null)} />
      )}
      {inviting && <InviteDialog mail={mail} onClose={() => setInviting(false)} onLink={addLink} />}
      {link !== undefined && (
        <LinkDialog key={link.link} {...link} onClose={() => setLinks((all) => all.filter((one) => one !== link))} />
      )}
      <ConfirmDialog
        opened={signOut.leaving !== null}
        question="Benutzer wirklich überall abmelden?"
        confirm="Überall abmelden"
        onConfirm={signOut.remove}
        onClose={() => signOut.setLeaving(null)}
      >
        Alle Sitzungen von {signOut.leaving?.name} ({signOut.leaving?.email}) enden. Ungespeicherte Eingaben gehen
        verloren; eine neue Anmeldung ist sofort möglich. API-Zugänge bleiben, wie sie sind.
      </ConfirmDialog>
      <ConfirmDialog
        opened={leaving !== null}
        question="Benutzer wirklich entfernen?"
        confirm="Entfernen"
        danger
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        {leaving?.name} ({leaving?.email}) kann sich danach nicht mehr anmelden. API-Zugänge, die diese Person angelegt
        hat, gelten sofort nicht mehr: Programme, die damit arbeiten, brauchen vorher einen anderen.
      </ConfirmDialog>
    </section>
  );
}

type MemberColumnsProps = {
  ownId: string;
  onRole: (member: Member) => void;
  onPassword: (member: Member) => Promise<void>;
  onSignOut: (member: Member) => void;
  onRemove: (member: Member) => void;
};

const memberColumns = ({
  ownId,
  onRole,
  onPassword,
  onSignOut,
  onRemove,
}: MemberColumnsProps): readonly TableColumn<Member>[] => [
  {
    title: 'Name',
    // The address is below the name: a column of its own would push the buttons out of sight on a tablet.
    cell: ({ id, name, email }) => (
      <span className="k-breaks" style={{ overflowWrap: 'anywhere' }}>
        {name}
        {id === ownId && <span className="k-muted"> (Sie)</span>}
        <span className="k-muted k-small" style={{ display: 'block' }}>
          {email}
        </span>
      </span>
    ),
  },
  { title: 'Rolle', cell: ({ role }) => roles[role].label },
  {
    title: 'Aktion',
    kind: 'action',
    cell: (member) => (
      <MemberActions
        name={member.name}
        own={member.id === ownId}
        onRole={() => onRole(member)}
        onPassword={() => onPassword(member)}
        onSignOut={() => onSignOut(member)}
        onRemove={() => onRemove(member)}
      />
    ),
  },
];
