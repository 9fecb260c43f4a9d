import { Button, Drawer } from '@mantine/core';
import IconTool from 'virtual:icons/tool';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { severities } from '#shared/channels/schema.ts';
import { transferStates, type TransferProblem, type TransferRow } from '#shared/transfer/schema.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { fixPath } from '#client/paths/fix-path.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import type { Place } from './transfer-grid.tsx';
import classes from './transfer.module.css';

type ItemResultProps = {
  place: Place;
  row: TransferRow | null;
  /** Gets the focus back. */
  opener: RefObject<Element | null>;
  onClose: () => void;
};

/** Everything known about one item's transfer, and where each of its problems can be fixed. */
export function ItemResult({ place, row, opener, onClose }: ItemResultProps) {
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      returnFocus={false}
      onExitTransitionEnd={() => opener.current instanceof HTMLElement && opener.current.focus({ preventScroll: true })}
      position="right"
      size="min(560px, 100vw)"
      title={<span className="k-strong">Artikel {row?._id}</span>}
      closeButtonProps={{ 'aria-label': 'Schließen' }}
    >
      {row !== null && (
        <div className="k-stack">
          <p>
            <strong>{transferStates[row.state].label}</strong>
            {row.title !== null && ` · ${row.title}`}
            {row.at !== null && <span className="k-muted k-small"> · {formatTime(row.at)}</span>}
          </p>
          {row.problems.length === 0 && <p>{row.message === '' ? 'Nichts zu beanstanden.' : row.message}</p>}
          <ul className={classes.problems}>
            {row.problems.map((problem) => (
              <Problem key={problem.key} problem={problem} place={place} />
            ))}
          </ul>
          <p>
            {place.prices === true ? (
              <Link to={pricePath(place.masterid, row._id)}>Wie dieser Preis zustande kam</Link>
            ) : (
              <Link to={explainPath(place.masterid, row._id, { exportId: place.id })}>
                Weg dieses Artikels durch alle Regeln
              </Link>
            )}
          </p>
        </div>
      )}
    </Drawer>
  );
}

function Problem({ problem, place }: { problem: TransferProblem; place: Place }) {
  const { severity, field, sentence, todo, fix } = problem;
  const { label, color } = severities[severity];
  const { to, label: mend } = fixPath(fix, place);
  return (
    <li>
      <p>
        <Badge tone={color}>{label}</Badge> {field !== '' && <code>{field}</code>}
      </p>
      <p className="k-strong">{sentence}</p>
      <p className="k-muted k-small">{todo}</p>
      <Button component={Link} to={to} size="xs" variant="default" leftSection={<IconTool size={14} aria-hidden />}>
        {mend}
      </Button>
    </li>
  );
}
