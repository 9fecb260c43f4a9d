import { useId, useState } from 'react';
import type { Run } from '#shared/runs/schema.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { usePrinting } from '#client/ui/use-printing.ts';
import { isUnderWay } from './run-words.ts';
import classes from './runs.module.css';

/** The warnings of a run as a list. */
export function WarningList({ warnings }: { warnings: readonly string[] }) {
  return (
    <ul className={`k-small ${classes.warnings}`}>
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

/** The warnings of the newest run as a section of its page; empty while it runs and if it has none. */
export function LastWarnings({ run }: { run: Run | null }) {
  const heading = useId();
  if (run === null || isUnderWay(run) || run.warnings.length === 0) return null;
  return (
    <section className="k-card k-stack" style={{ gap: 8 }} aria-labelledby={heading}>
      <h2 id={heading}>Hinweise zum letzten Lauf</h2>
      <WarningList warnings={run.warnings} />
    </section>
  );
}

/** The warnings of a run in a table's cell: the first, and the others when opened. Paper has no folding. */
export function WarningsInCell({ warnings }: { warnings: readonly string[] }) {
  const [opened, setOpened] = useState(false);
  const printing = usePrinting();
  const [first, ...others] = warnings;
  if (first === undefined) return null;
  return (
    <>
      <p>{first}</p>
      {others.length > 0 && (
        <details
          className={classes.more}
          open={opened || printing}
          onToggle={({ currentTarget }) => !printing && setOpened(currentTarget.open)}
        >
          <summary>+ {formatCount(others.length, 'weiterer', 'weitere')}</summary>
          <WarningList warnings={others} />
        </details>
      )}
    </>
  );
}
