import IconBan from 'virtual:icons/ban';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleDashed from 'virtual:icons/circle-dashed';
import IconCircleX from 'virtual:icons/circle-x';
import IconPlayerPause from 'virtual:icons/player-pause';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import { Link } from 'react-router';
import { type ExplainedCondition, type ExplainedRule, type RuleState, ruleStates } from '#shared/explain/schema.ts';
import { fieldWord } from '#shared/rules/sentences.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { Badge, type BadgeTone } from '#client/ui/badge.tsx';
import classes from './rule-card.module.css';
import { ruleAnchor } from './steps.ts';
import { Change, ValueText } from './value-text.tsx';

const states: Record<RuleState, { tone: BadgeTone; icon: IconComponent }> = {
  held: { tone: 'green', icon: IconCircleCheck },
  not_held: { tone: 'gray', icon: IconCircleX },
  not_reached: { tone: 'gray', icon: IconCircleDashed },
  paused: { tone: 'gray', icon: IconPlayerPause },
};

type RuleCardProps = { rule: ExplainedRule; masterid: string; exportId: string | null };

/** A rule applied to the item: its conditions with the values they read, and its changes. */
export function RuleCard({ rule, masterid, exportId }: RuleCardProps) {
  const { number, name, sentence, state, conditions, failed, excluded, changes, scope, ruleId } = rule;
  const { tone, icon } = states[state];
  const editor =
    scope === 'master' || exportId === null
      ? pathTo(pages.masterRules, { masterid, ruleid: ruleId })
      : pathTo(pages.exportRules, { id: exportId, ruleid: ruleId });
  const limiting = conditions.filter((condition) => condition.sentence !== 'alle Artikel');
  return (
    <article
      id={ruleAnchor(rule)}
      className={classes.rule}
      data-excluded={excluded || undefined}
      data-quiet={(state !== 'held' && !excluded) || undefined}
      aria-label={`Regel ${number}`}
    >
      <div className={classes.ruleHead}>
        <span className={classes.number} aria-hidden>
          {number}
        </span>
        <Link to={editor} className={classes.ruleName} title={sentence}>
          {name.trim() === '' ? `Regel ${number} ohne Namen` : name}
        </Link>
        <Badge tone={tone} icon={icon}>
          {ruleStates[state]}
        </Badge>
        {excluded && (
          <Badge tone="red" icon={IconBan}>
            schließt aus
          </Badge>
        )}
      </div>
      {limiting.length === 0 ? (
        state === 'held' && <p className="k-muted k-small">gilt für alle Artikel</p>
      ) : (
        <ul className={classes.conditions}>
          {conditions.map((condition, index) => (
            <Condition key={index} condition={condition} first={index === 0} failing={index === failed} />
          ))}
        </ul>
      )}
      {changes.map(({ field, before, after, sentences, notCalculated }) => (
        <div key={field} className={classes.effect}>
          <p className="k-small k-muted">{sentences.join(', dann ')}</p>
          <div className={classes.effectValue}>
            <span className={classes.fieldName}>{field}</span>
            {before === after ? (
              <span>
                <ValueText text={after} />{' '}
                <span className="k-muted">
                  {notCalculated ? 'ließ sich nicht berechnen und blieb' : 'blieb gleich'}
                </span>
              </span>
            ) : (
              <>
                <Change before={before} after={after} />
                {notCalculated && <span className="k-muted"> nicht alles daran war berechenbar</span>}
              </>
            )}
          </div>
        </div>
      ))}
    </article>
  );
}

type ConditionProps = { condition: ExplainedCondition; first: boolean; failing: boolean };

/** One condition with the value that it read; the first failing one stands out. */
function Condition({ condition: { sentence, field, value, compared, held }, first, failing }: ConditionProps) {
  const Icon = held === null ? IconCircleDashed : held ? IconCircleCheck : IconCircleX;
  const words = held === null ? 'nicht gefragt' : held ? 'trifft zu' : 'trifft nicht zu';
  return (
    <li className={classes.condition} data-failing={failing || undefined} data-held={held ?? undefined}>
      <Icon size={18} stroke={1.8} aria-hidden />
      <span className="k-hidden">{words}: </span>
      <span>
        <span className="k-muted">{first ? 'Wenn' : 'und'}</span> {sentence}
        {held !== null && field !== '@ALL@' && (
          <span className={classes.looked}>
            {field === '_id' ? 'Artikelnummer' : fieldWord(field)} ist <ValueText text={value} />
            {compared !== null && (
              <>
                {', verglichen mit '}
                <ValueText text={compared} />
              </>
            )}
          </span>
        )}
      </span>
    </li>
  );
}
