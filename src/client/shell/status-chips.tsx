import { Loader } from '@mantine/core';
import { Link } from 'react-router';
import type { Master } from '#shared/masters/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { useLiveStatus } from './live-status.tsx';
import { RunEnded } from './run-ended.tsx';
import classes from './header.module.css';

/** LIV-02: running jobs of the active catalogue, in the header of every page; empty if there are none. */
export function StatusChips({ master }: { master: Master | null }) {
  const { imports, running, ended } = useLiveStatus();
  if (master === null) return null;
  const channels = [
    ...master.exports.map(({ id, name }) => ({ id, name, to: pathTo(pages.export, { id }) })),
    ...master.accounts.map(({ id, name }) => ({ id, name, to: pathTo(pages.accountTransfer, { id }) })),
  ];
  const named = (ids: { has: (id: string) => boolean }) => channels.filter(({ id }) => ids.has(id));
  return (
    <div className={classes.chips} role="status">
      {imports.has(master.masterid) && (
        <Link className={classes.chip} to={pathTo(pages.import, { masterid: master.masterid })}>
          <Loader size={14} aria-hidden /> Import läuft
        </Link>
      )}
      {named(running).map(({ id, name, to }) => (
        <Link key={id} className={classes.chip} to={to}>
          <Loader size={14} aria-hidden /> <span className={classes.name}>{name}:</span> update
        </Link>
      ))}
      {named(ended).map(({ id, name, to }) => (
        <Link key={id} className={classes.chip} to={to}>
          <RunEnded outcome={ended.get(id) ?? 'done'} name={name} />
        </Link>
      ))}
    </div>
  );
}
