import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleX from 'virtual:icons/circle-x';
import type { ExplainedTable } from '#shared/explain/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import classes from './explain.module.css';
import { ValueText } from './value-text.tsx';

/** A mapping, or a table of the export, with the row that decided and its result. */
export function TableCard({ table }: { table: ExplainedTable }) {
  const { kind, name, row, rows, conditions, results } = table;
  return (
    <article className={classes.rule} data-quiet={row === null || undefined} aria-label={name}>
      <div className={classes.ruleHead}>
        <span className={classes.ruleName}>{kind === 'mapping' ? `Mapping ${name}` : name}</span>
        <Badge tone={row === null ? 'gray' : 'green'} icon={row === null ? IconCircleX : IconCircleCheck}>
          {row === null ? 'keine Zeile passt' : `Zeile ${row} von ${rows}`}
        </Badge>
      </div>
      {conditions.length > 0 && (
        <ul className={classes.conditions}>
          {conditions.map(({ sentence, value }, index) => (
            <li key={index} className={classes.condition} data-held>
              <IconCircleCheck size={18} stroke={1.8} aria-hidden />
              <span>
                <span className="k-muted">{index === 0 ? 'Wenn' : 'und'}</span> {sentence}
                <span className={classes.looked}>
                  Wert: <ValueText text={value} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.parts}>
        {results.map((result) => (
          <span key={result.name} className={classes.part}>
            <span className={classes.stopField}>{result.name}</span>
            <ValueText text={result.value} />
          </span>
        ))}
      </div>
    </article>
  );
}
