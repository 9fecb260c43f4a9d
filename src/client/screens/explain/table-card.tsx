import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleX from 'virtual:icons/circle-x';
import type { ExplainedTable } from '#shared/explain/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import classes from './answer.module.css';
import stagesClasses from './stages.module.css';
import ruleCardClasses from './rule-card.module.css';
import { ValueText } from './value-text.tsx';

/** A mapping, or a table of the export, with the row that decided and its result. */
export function TableCard({ table }: { table: ExplainedTable }) {
  const { kind, name, row, rows, conditions, results } = table;
  return (
    <article className={ruleCardClasses.rule} data-quiet={row === null || undefined} aria-label={name}>
      <div className={ruleCardClasses.ruleHead}>
        <span className={ruleCardClasses.ruleName}>{kind === 'mapping' ? `Mapping ${name}` : name}</span>
        <Badge tone={row === null ? 'gray' : 'green'} icon={row === null ? IconCircleX : IconCircleCheck}>
          {row === null ? 'keine Zeile passt' : `Zeile ${row} von ${rows}`}
        </Badge>
      </div>
      {conditions.length > 0 && (
        <ul className={ruleCardClasses.conditions}>
          {conditions.map(({ sentence, value }, index) => (
            <li key={index} className={ruleCardClasses.condition} data-held>
              <IconCircleCheck size={18} stroke={1.8} aria-hidden />
              <span>
                <span className="k-muted">{index === 0 ? 'Wenn' : 'und'}</span> {sentence}
                <span className={ruleCardClasses.looked}>
                  Wert: <ValueText text={value} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={stagesClasses.parts}>
        {results.map((result) => (
          <span key={result.name} className={stagesClasses.part}>
            <span className={classes.stopField}>{result.name}</span>
            <ValueText text={result.value} />
          </span>
        ))}
      </div>
    </article>
  );
}
