import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '#client/failure.ts';
import { NoItemsYet } from './no-items-yet.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatInteger, formatShare } from '#client/ui/text/formats.ts';
import { ShareBar } from '#client/ui/figures/share-bar.tsx';
import classes from './counter-panel.module.css';

type CounterPanelProps = {
  /** „Kategorisiert“, „Zugeordnet“ */
  word: string;
  masterid: string;
  counts: { total: number; assigned: number } | null;
  /** Counts including unsaved changes; null if there are none. */
  unsaved: { total: number; assigned: number } | null;
  busy: boolean;
  failure: Failure | null;
  onRetry: () => void;
  /** Something that the figures do not show. */
  children?: ReactNode;
};

/** CAT-01, HDR-04: how many items have a target and how many have none, in numbers and as a bar of two parts. */
export function CounterPanel({ word, masterid, counts, unsaved, busy, failure, onRetry, children }: CounterPanelProps) {
  const share = counts === null || counts.total === 0 ? 0 : counts.assigned / counts.total;
  return (
    <section className={`k-card ${classes.panel}`} aria-label={`${word} in Zahlen`} aria-busy={busy}>
      {failure?.code === 'no_items' ? (
        <NoItemsYet masterid={masterid} />
      ) : (
        // HDR-04
        <ErrorNotice failure={failure} onRetry={onRetry}>
          {failure?.status !== undefined && <div>HTTP error! Status: {failure.status}</div>}
        </ErrorNotice>
      )}
      {counts === null && failure === null && (
        <p className={`k-muted ${classes.counting}`} role="status">
          <Loader size={18} color="var(--k-graphic)" aria-hidden />
          Artikel werden gezählt …
        </p>
      )}
      {counts !== null && (
        <>
          <div className={classes.figures}>
            <p className={classes.percent}>
              <b>{formatShare(share)}</b> {word.toLowerCase()}
            </p>
            <dl className={classes.numbers}>
              <div>
                <dt>Artikel</dt>
                <dd>{formatInteger(counts.total)}</dd>
              </div>
              <div>
                <dt>{word}</dt>
                <dd>{formatInteger(counts.assigned)}</dd>
              </div>
              <div>
                <dt>Nicht {word.toLowerCase()}</dt>
                <dd>{formatInteger(counts.total - counts.assigned)}</dd>
              </div>
            </dl>
          </div>
          <ShareBar share={share} />
          {unsaved !== null && (
            <p className="k-muted k-small" role="status">
              Mit Ihren Änderungen: {formatInteger(unsaved.assigned)} von {formatInteger(unsaved.total)} (
              {formatShare(unsaved.total === 0 ? 0 : unsaved.assigned / unsaved.total)})
            </p>
          )}
        </>
      )}
      {children}
    </section>
  );
}
