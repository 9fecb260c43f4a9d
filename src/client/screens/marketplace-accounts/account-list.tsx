import { Button } from '@mantine/core';
import IconBellPlus from 'virtual:icons/bell-plus';
import IconPencil from 'virtual:icons/pencil';
import IconPlugConnected from 'virtual:icons/plug-connected';
import IconPlus from 'virtual:icons/plus';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { MarketplaceAccount } from '#shared/marketplace-accounts/schema.ts';
import type { Trial } from '#shared/notifications/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { useConnectors, useMarketplaceName } from '#client/marketplaces.ts';
import { useRemoval } from '#client/fields/use-removal.ts';
import { failureOf } from '#client/failure.ts';
import { TrialNotice } from '#client/fields/trial-notice.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { AccountDialog, type Catalogue } from './account-dialog.tsx';
import classes from './marketplace-accounts.module.css';

type AccountListProps = { accounts: readonly MarketplaceAccount[]; masters: readonly Catalogue[] };

/** The accounts, each with its state and actions. */
export function AccountList({ accounts, masters }: AccountListProps) {
  const [edited, setEdited] = useState<MarketplaceAccount | 'new' | null>(null);
  const { leaving, setLeaving, failure, setFailure, remove } = useRemoval(({ id }: MarketplaceAccount) =>
    call(api.deleteMarketplaceAccount, { params: { id } }),
  );
  return (
    <section className="k-card k-stack" aria-labelledby="konten">
      <div className="k-between">
        <h2 id="konten">Verkäuferkonten</h2>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={masters.length === 0}
          onClick={() => setEdited('new')}
        >
          Konto anlegen
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      {accounts.length === 0 ? (
        <p className="k-muted">
          {masters.length === 0
            ? 'Noch kein Verkäuferkonto. Legen Sie zuerst einen Katalog an: ein Konto verkauft dessen Artikel.'
            : 'Noch kein Verkäuferkonto. Ohne Konto rechnet der Repricer nur; er sendet nichts.'}
        </p>
      ) : (
        <ul className={classes.list}>
          {accounts.map((account) => (
            <Entry
              key={account.id}
              account={account}
              catalogue={masters.find(({ masterid }) => masterid === account.masterid)?.name ?? ''}
              onEdit={() => setEdited(account)}
              onDelete={() => setLeaving(account)}
            />
          ))}
        </ul>
      )}
      {edited !== null && (
        <AccountDialog account={edited === 'new' ? null : edited} masters={masters} onClose={() => setEdited(null)} />
      )}
      <ConfirmDialog
        opened={leaving !== null}
        question="Verkäuferkonto wirklich löschen?"
        confirm="Löschen"
        danger
        onConfirm={remove}
        onClose={() => setLeaving(null)}
      >
        „{leaving?.name}“, seine Zugangsdaten und die Zuordnung Ihrer Angebote werden gelöscht; wartende Preise werden
        nicht mehr gesendet. Beim Marktplatz selbst ändert sich nichts. {openOrdersText(leaving?.openOrders ?? 0)}
      </ConfirmDialog>
    </section>
  );
}

/** Says what the deletion means for orders still to be processed. */
function openOrdersText(count: number): string {
  if (count === 0) return '';
  const orders = formatCount(count, 'Bestellung ist noch offen und bleibt', 'Bestellungen sind noch offen und bleiben');
  return `${orders} hier stehen: von Versand und Stornierung erfährt der Marktplatz dann nichts mehr. Was noch auf dem Weg zu ihm ist, braucht danach Klärung.`;
}

/** The tests of an account: signing in, and subscribing to messages. */
type Tried = 'connection' | 'messages';

type EntryProps = { account: MarketplaceAccount; catalogue: string; onEdit: () => void; onDelete: () => void };

function Entry({ account, catalogue, onEdit, onDelete }: EntryProps) {
  const { id, name, active, connector, marketplace, sellerId, mailbox } = account;
  const marketplaceName = useMarketplaceName();
  const demo = useConnectors().find((one) => one.id === connector && one.demo !== '');
  const [busy, setBusy] = useState<Tried | null>(null);
  const [trial, setTrial] = useState<(Trial & { of: Tried }) | null>(null);
  const tryIt = async (of: Tried) => {
    setBusy(of);
    setTrial(null);
    try {
      const wanted = of === 'connection' ? api.testMarketplaceAccount : api.subscribeMarketplaceAccount;
      setTrial({ ...(await call(wanted, { params: { id } })), of });
    } catch (error) {
      setTrial({ success: false, error: failureOf('Fehler beim Starten', error).message, of });
    } finally {
      setBusy(null);
    }
  };
  const hidden = <span className="k-hidden"> {name}</span>;
  return (
    <li className="k-stack">
      <div className="k-row">
        <strong style={{ minWidth: 0, overflowWrap: 'anywhere' }}>{name}</strong>
        <Badge tone={active ? 'green' : 'gray'}>{active ? 'aktiv' : 'pausiert'}</Badge>
        {demo !== undefined && <Badge tone="blue">{demo.label}</Badge>}
      </div>
      <p className="k-muted k-small">
        {marketplaceName(marketplace)} · Verkäufer {sellerId} · Katalog {catalogue}
      </p>
      <p>
        <Link to={pathTo(pages.accountTransfer, { id })}>Übertragung der Preise{hidden}</Link>
      </p>
      <div className="k-row">
        <Button
          size="xs"
          variant="default"
          loading={busy === 'connection'}
          leftSection={<IconPlugConnected size={14} aria-hidden />}
          onClick={() => void tryIt('connection')}
        >
          Verbindung prüfen{hidden}
        </Button>
        {mailbox && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'messages'}
            leftSection={<IconBellPlus size={14} aria-hidden />}
            onClick={() => void tryIt('messages')}
          >
            Mitteilungen bestellen{hidden}
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
          Bearbeiten{hidden}
        </Button>
        <Button size="xs" variant="default" leftSection={<IconTrash size={14} aria-hidden />} onClick={onDelete}>
          Löschen{hidden}
        </Button>
      </div>
      <TrialNotice
        trial={trial}
        success={
          trial?.of === 'messages'
            ? `${marketplaceName(marketplace)} schreibt Änderungen von Angeboten und Bestellungen jetzt in Ihre Warteschlange.`
            : `Die Verbindung steht: ${marketplaceName(marketplace)} nimmt die Zugangsdaten an.`
        }
      />
    </li>
  );
}
