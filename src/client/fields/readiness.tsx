import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCircleCheck from 'virtual:icons/circle-check';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import type { Readiness } from '#shared/diagnosis/readiness.ts';
import { readyShare } from '#shared/diagnosis/ready-share.ts';
import { pathTo } from '#client/address.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatShare } from '#client/ui/text/formats.ts';
import classes from './readiness.module.css';

/** Formats the share of items without errors. */
export const readyWords = (readiness: Readiness): string => formatShare(readyShare(readiness));

/** Readiness of an export in one word, linked to its diagnosis. */
export function ReadinessBadge({ exportId, readiness }: { exportId: string; readiness: Readiness }) {
  const fine = readiness.errors === 0;
  return (
    <Link
      to={pathTo(pages.diagnosis, { id: exportId })}
      className={classes.link}
      title={
        fine ? 'Kein Artikel hat Fehler' : `${formatCount(readiness.errors, 'Artikel hat', 'Artikel haben')} Fehler`
      }
    >
      <Badge tone={fine ? 'green' : 'red'} icon={fine ? IconCircleCheck : IconAlertTriangle}>
        {readyWords(readiness)} bereit
      </Badge>
    </Link>
  );
}

/** The items as one bar: with errors, with warnings only, without either. The numbers are next to it as text. */
export function ReadinessBar({ readiness }: { readiness: Readiness }) {
  const { items, errors, warnings, fine } = readiness;
  const parts = [
    { name: 'mit Fehlern', count: errors, className: classes.errors },
    { name: 'nur mit Warnungen', count: warnings, className: classes.warnings },
    { name: 'in Ordnung', count: fine, className: classes.fine },
  ];
  return (
    <div className={classes.picture}>
      <div className={classes.bar} aria-hidden>
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count, className }) => (
            <span key={name} className={className} style={{ flexGrow: count }} />
          ))}
      </div>
      <dl className={classes.legend}>
        {parts.map(({ name, count, className }) => (
          <div key={name}>
            <dt>
              <span className={`${classes.dot} ${className}`} aria-hidden />
              {name}
            </dt>
            <dd>
              {formatCount(count, 'Artikel', 'Artikel')}
              <span className="k-muted"> {items === 0 ? '' : formatShare(count / items)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
