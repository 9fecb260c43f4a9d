import { Link } from 'react-router';
import type { Revision } from '#shared/history/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import classes from '#client/screens/repricer/dashboard/dashboard.module.css';
import { formatTime } from '#client/ui/text/formats.ts';
import { changeWords } from './rule-marks.ts';

/** The rule changes that the drawing marks, each linked to its before-and-after comparison. */
export function RuleChangeList({ masterid, changes }: { masterid: string; changes: readonly Revision[] }) {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>Regeländerungen im Zeitraum</h3>
      <ul className={classes.notes} aria-label="Regeländerungen im Zeitraum">
        {changes.map((change) => (
          <li key={change.revision}>
            <time className="k-muted k-small" dateTime={change.createdAt}>
              {formatTime(change.createdAt)}
            </time>
            <p>
              {changeWords(change)}{' '}
              <Link
                to={pathTo(pages.ruleChange, { masterid, number: String(change.revision) })}
                aria-label={`Wirkung von Stand ${change.revision}`}
              >
                Davor und danach
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
