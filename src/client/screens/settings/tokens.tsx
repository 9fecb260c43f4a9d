import { Button } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { permissionLabels, roles } from '#shared/account/roles.ts';
import type { Token } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatDay, formatTime } from '#client/ui/text/formats.ts';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { NewToken } from './new-token.tsx';

/** Access for programs: each token has a role and can be revoked. */
export function Tokens({ tokens, now }: { tokens: readonly Token[]; now: number }) {
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
        <TokenTable tokens={tokens} now={now} onDelete={setLeaving} />
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

const tokenColumns = (now: number, onDelete: (token: Token) => void): readonly TableColumn<Token>[] => [
  {
    title: 'Name',
    // Its dates are below the name: columns of their own would push the button out of sight on a tablet.
    cell: ({ name, createdAt, maker, lastUsedAt }) => (
      <span className="k-breaks" style={{ overflowWrap: 'anywhere' }}>
        {name}
        <span className="k-muted k-small" style={{ display: 'block' }}>
          Angelegt am {formatDay(createdAt)}
          {maker !== '' && ` von ${maker}`},{' '}
          {lastUsedAt === null ? 'noch nie benutzt' : `zuletzt benutzt ${formatTime(lastUsedAt)}`}
        </span>
      </span>
    ),
  },
  {
    title: 'Rolle',
    cell: ({ role, permissions }) => (
      <>
        {roles[role].label}
        {permissions.length < roles[role].may.length && (
          <div className="k-muted k-small">
            nur {permissions.flatMap((one) => (one === 'enter' ? [] : [permissionLabels[one]])).join(', ')}
          </div>
        )}
      </>
    ),
  },
  { title: 'Gilt bis', cell: (token) => <TokenEnd {...token} now={now} /> },
  {
    title: 'Aktion',
    kind: 'action',
    cell: (token) => (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => onDelete(token)}
      >
        Löschen
        <span className="k-hidden"> {token.name}</span>
      </Button>
    ),
  },
];

/** Expiry of the token, and its cause if nobody chose it. */
function TokenEnd({ expiresAt, maker, now }: Token & { now: number }) {
  if (expiresAt === null)
    return (
      <>
        ohne Ende
        <div className="k-muted k-small" style={{ overflowWrap: 'anywhere' }}>
          solange KONTOR_API_TOKEN ihn nennt
        </div>
      </>
    );
  const ended = new Date(expiresAt).getTime() <= now;
  return (
    <>
      {formatDay(expiresAt)}
      {ended && <div className="k-muted k-small">abgelaufen; wird nach 30 Tagen entfernt</div>}
      {!ended && maker === '' && (
        <div className="k-muted k-small">aus einer früheren Version; bitte durch einen neuen Zugang ersetzen</div>
      )}
    </>
  );
}

type TokenTableProps = { tokens: readonly Token[]; now: number; onDelete: (token: Token) => void };

function TokenTable({ tokens, now, onDelete }: TokenTableProps) {
  const columns = tokenColumns(now, onDelete);
  return <Table stacks label="Liste der API-Zugänge" columns={columns} rows={tokens} rowId={({ id }) => id} />;
}
