import { Button, Loader } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import { Link } from 'react-router';
import type { Export } from '#shared/exports/schema.ts';
import type { MarketplaceChannel } from '#shared/marketplace-accounts/schema.ts';
import type { Master } from '#shared/masters/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { ReadinessBadge } from '#client/fields/readiness.tsx';
import { RunBadge } from '#client/fields/runs/run-badge.tsx';
import { UploadFailedBadge } from '#client/fields/runs/upload-failed.tsx';
import { useLiveStatus } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ChannelUpdate } from './channel-update.tsx';
import classes from './overview.module.css';

type MasterCardProps = {
  master: Master;
  exports: readonly Export[];
  channels: readonly MarketplaceChannel[];
  onNewExport?: (() => void) | undefined;
};

/** A catalogue: number of items, state of the last import, its exports and accounts. */
export function MasterCard({ master, exports, channels, onNewExport }: MasterCardProps) {
  const { masterid, name, items, fields, importedAt, lastRun } = master;
  const mayRun = useMay('run');
  const { imports } = useLiveStatus();
  return (
    <article className={`k-card ${classes.card}`} aria-label={name}>
      <div className="k-between">
        <h3 className={classes.name}>
          <Link to={pathTo(items === 0 ? pages.import : pages.items, { masterid })}>{name}</Link>
        </h3>
        {imports.has(masterid) ? (
          <span className="k-row k-small" role="status">
            <Loader size={14} aria-hidden /> Import läuft
          </span>
        ) : (
          lastRun !== null && <RunBadge run={lastRun} />
        )}
      </div>
      <p className={classes.figure}>
        {formatInteger(items)} <span className="k-muted">Artikel</span>
        {fields > 0 && (
          <span className={`k-muted k-small ${classes.fields}`}>{formatCount(fields, 'Feld', 'Felder')}</span>
        )}
      </p>
      <p className="k-muted k-small">
        {importedAt === null ? 'Noch nie importiert' : `Stand vom ${formatTime(importedAt)}`}
      </p>
      <div className="k-row">
        <Button
          component={Link}
          to={pathTo(pages.import, { masterid })}
          variant={items === 0 ? 'filled' : 'default'}
          size="xs"
        >
          {items === 0 ? 'Jetzt importieren' : 'Import'}
        </Button>
        {items > 0 && (
          <Button component={Link} to={pathTo(pages.items, { masterid })} variant="default" size="xs">
            Artikel ansehen
          </Button>
        )}
      </div>
      <div className={classes.exports}>
        <h4 className={classes.label}>Exporte</h4>
        {exports.length === 0 && <p className="k-muted k-small">Noch kein Export.</p>}
        <ul className={classes.list}>
          {exports.map(({ id, settings, readiness, uploadFailure, lastRun: run }) => (
            <li key={id} className={classes.export}>
              <Link to={pathTo(pages.export, { id })}>{settings.name}</Link>
              <span className="k-row">
                {readiness !== null && <ReadinessBadge exportId={id} readiness={readiness} />}
                {run === null ? <span className="k-muted k-small">noch nie gelaufen</span> : <RunBadge run={run} />}
                {uploadFailure !== null && <UploadFailedBadge />}
                {mayRun && items > 0 && <ChannelUpdate id={id} name={settings.name} />}
              </span>
            </li>
          ))}
        </ul>
        {onNewExport !== undefined && (
          <Button
            variant="subtle"
            c="var(--k-link)"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={onNewExport}
            className={classes.new}
          >
            Export anlegen
          </Button>
        )}
      </div>
      {channels.length > 0 && <Accounts channels={channels} mayRun={mayRun} />}
    </article>
  );
}

/** The marketplace accounts that sell the catalogue's items: channels that receive prices. */
function Accounts({ channels, mayRun }: { channels: readonly MarketplaceChannel[]; mayRun: boolean }) {
  return (
    <div className={classes.exports}>
      <h4 className={classes.label}>Marktplätze</h4>
      <ul className={classes.list}>
        {channels.map(({ id, name, active, lastRun }) => (
          <li key={id} className={classes.export}>
            <Link to={pathTo(pages.accountTransfer, { id })}>{name}</Link>
            <span className="k-row">
              {!active && <Badge tone="gray">pausiert</Badge>}
              {lastRun !== null && <RunBadge run={lastRun} />}
              {mayRun && active && <ChannelUpdate id={id} name={name} />}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
