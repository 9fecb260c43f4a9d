import { Loader } from '@mantine/core';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleX from 'virtual:icons/circle-x';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { ItemInExport } from '#shared/explain/schema.ts';
import { call } from '#client/call.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import classes from './item-exports.module.css';

/** Lists every export of the catalogue: whether the item is in it, and if not, why. */
export function ItemExports({ masterid, itemid }: { masterid: string; itemid: string }) {
  const [exports, setExports] = useState<readonly ItemInExport[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      try {
        setExports(await call(api.itemExports, { params: { masterid, itemid }, signal: stop.signal }));
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [masterid, itemid, attempt]);

  return (
    <div className="k-stack" style={{ gap: 6 }}>
      <ErrorNotice failure={failure} onRetry={() => setAttempt((now) => now + 1)} />
      {exports === null && failure === null && (
        <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
      )}
      {exports?.length === 0 && <p className="k-muted">Der Katalog hat noch keinen Export.</p>}
      <ul className={classes.exports}>
        {(exports ?? []).map(({ id, name, inExport, inFile, reason }) => (
          <li key={id}>
            <Badge tone={inExport ? 'green' : 'red'} icon={inExport ? IconCircleCheck : IconCircleX}>
              {inExport ? 'im Export' : 'nicht im Export'}
            </Badge>
            <Link to={explainPath(masterid, itemid, { exportId: id })}>{name}</Link>
            {!inExport && <span className="k-muted k-small">{reason}</span>}
            {inExport && inFile === false && <span className="k-muted k-small">noch nicht in der Datei</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
