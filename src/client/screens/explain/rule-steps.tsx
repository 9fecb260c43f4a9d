import IconChevronRight from 'virtual:icons/chevron-right';
import type { ExplainedRule } from '#shared/explain/schema.ts';
import classes from './rule-steps.module.css';
import { RuleCard } from './rule-card.tsx';
import { groupsOf } from './steps.ts';

type RuleStepsProps = {
  rules: readonly ExplainedRule[];
  field: string | null;
  masterid: string;
  exportId: string | null;
};

/** Rules in their order: those with an effect as cards, the others between them folded. */
export function RuleSteps({ rules, field, masterid, exportId }: RuleStepsProps) {
  if (rules.length === 0) return <p className="k-muted">Keine Regeln.</p>;
  return (
    <div className={classes.rules}>
      {groupsOf(rules).map((group) =>
        group.kind === 'rule' ? (
          <RuleCard key={group.rule.number} rule={group.rule} masterid={masterid} exportId={exportId} />
        ) : (
          <details key={group.rules[0]?.number} className={classes.fold}>
            <summary>
              <IconChevronRight size={16} aria-hidden />
              <span>{foldWords(group.rules, field)}</span>
            </summary>
            <div className={classes.rules}>
              {group.rules.map((rule) => (
                <RuleCard key={rule.number} rule={rule} masterid={masterid} exportId={exportId} />
              ))}
            </div>
          </details>
        ),
      )}
    </div>
  );
}

/** „12 Regeln ohne Wirkung (4 bis 15), davon 2 für dieses Feld“ */
function foldWords(rules: readonly ExplainedRule[], field: string | null): string {
  const [first, last] = [rules[0], rules.at(-1)];
  const noun = rules.length === 1 ? 'Regel' : 'Regeln';
  const reached = first?.state === 'not_reached';
  const numbers = rules.length === 1 ? `${first?.number}` : `${first?.number} bis ${last?.number}`;
  const own = field === null || reached ? 0 : rules.filter(({ concerns }) => concerns).length;
  const head = `${rules.length} ${noun} ${reached ? 'nicht mehr erreicht' : 'ohne Wirkung'} (${numbers})`;
  return own === 0 ? head : `${head}, davon ${own} für dieses Feld`;
}
