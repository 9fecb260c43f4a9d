import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconChevronDown from 'virtual:icons/chevron-down';
import IconChevronRight from 'virtual:icons/chevron-right';
import IconInfoCircle from 'virtual:icons/info-circle';
import IconTool from 'virtual:icons/tool';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { severities, type Severity } from '#shared/channels/schema.ts';
import type { DiagnosedProblem } from '#shared/diagnosis/schema.ts';
import type { Readiness } from '#shared/diagnosis/readiness.ts';
import { fixPath } from '#client/paths/fix-path.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatShare } from '#client/ui/text/formats.ts';
import classes from './diagnosis.module.css';

import { ProblemItems, type DiagnosedRun } from './problem-items.tsx';

type ProblemListProps = { problems: readonly DiagnosedProblem[]; readiness: Readiness; shown: DiagnosedRun };

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { label, color } = severities[severity];
  return (
    <Badge tone={color} icon={severity === 'hint' ? IconInfoCircle : IconAlertTriangle}>
      {label}
    </Badge>
  );
}

/** The problems in the given order. */
export function ProblemList({ problems, readiness, shown }: ProblemListProps) {
  return (
    <ol className={classes.problems}>
      {problems.map((problem) => (
        <li key={problem.key}>
          <Problem problem={problem} readiness={readiness} shown={shown} />
        </li>
      ))}
    </ol>
  );
}

function Problem({
  problem,
  readiness,
  shown,
}: {
  problem: DiagnosedProblem;
  readiness: Readiness;
  shown: DiagnosedRun;
}) {
  const { severity, sentence, means, todo, field, items, gain } = problem;
  const [open, setOpen] = useState(false);
  const heading = useId();
  const { to, label } = fixPath(problem.fix, shown);
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <article className={`k-card ${classes.problem}`} aria-labelledby={heading} data-severity={severity}>
      <div className={classes.head}>
        <SeverityBadge severity={severity} />
        <h3 id={heading} className={classes.sentence}>
          {sentence}
        </h3>
        <code className={classes.field}>{field}</code>
      </div>
      <p className="k-small">
        <strong>{formatCount(items, 'Artikel', 'Artikel')}</strong>
        {readiness.items > 0 && ` (${formatShare(items / readiness.items)})`}
        {gain > 0 && (
          <span className={classes.gain}>
            {' '}
            · behoben {gain === 1 ? 'wäre' : 'wären'} {formatCount(gain, 'Artikel', 'Artikel')} mehr ohne Fehler
          </span>
        )}
      </p>
      <p className="k-muted k-small">
        {means} {todo}
      </p>
      <div className="k-row">
        <Button
          component={Link}
          to={to}
          size="xs"
          variant="default"
          leftSection={<IconTool size={14} aria-hidden />}
          aria-describedby={heading}
        >
          {label}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          c="var(--k-link)"
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={open}
          aria-describedby={heading}
          onClick={() => setOpen(!open)}
        >
          Artikel zeigen
        </Button>
      </div>
      {open && <ProblemItems problem={problem} shown={shown} />}
    </article>
  );
}
