import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { permissionLabels, roles, type Token } from '#shared/account/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatDay, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { NewToken } from './new-token.tsx';

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
            <th scope="col">Gilt bis</th>
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
              <td>
                {roles[token.role].label}
                {token.permissions.length < roles[token.role].may.length && (
                  <div className="k-muted k-small">
                    nur{' '}
                    {token.permissions.flatMap((one) => (one === 'enter' ? [] : [permissionLabels[one]])).join(', ')}
                  </div>
                )}
              </td>
              <td>
                {formatDay(token.createdAt)}
                {token.maker !== '' && <div className="k-muted k-small">von {token.maker}</div>}
              </td>
              <td>{token.expiresAt === null ? 'unbegrenzt' : formatDay(token.expiresAt)}</td>
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
