import IconAlertTriangle from 'virtual:icons/alert-triangle';
import type { RuleEffect } from '#shared/rules/effect.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import classes from './condition-meter.module.css';

type ConditionMeterProps = {
  /** Index of the condition in the rule, from 0. */
  index: number;
  /** null until loaded. */
  effect: RuleEffect | null;
  stale: boolean;
};

/**
 * How far the conditions up to this one narrow the items down: a bar and two numbers. Their space is reserved before they load.
 */
export function ConditionMeter({ index, effect, stale }: ConditionMeterProps) {
  const known = effect?.conditions[index];
  if (effect === null || known === undefined) return <div className={classes.meter} aria-hidden />;
  const { alone, together } = known;
  const width = (value: number) => `${effect.count.pre === 0 ? 0 : (value / effect.count.pre) * 100}%`;
  const noneMatch = together === 0;
  return (
    <div className={classes.meter} data-stale={stale || undefined}>
      <span className={classes.bar} aria-hidden>
        <span className={classes.alone} style={{ width: width(alone) }} />
        <span className={classes.together} style={{ width: width(together) }} />
      </span>
      {noneMatch && <IconAlertTriangle size={14} className={classes.mark} aria-hidden />}
      <span>
        {index === 0
          ? `${formatInteger(together)} von ${formatCount(effect.count.pre, 'Artikel', 'Artikeln')}`
          : `${formatInteger(together)} ${together === 1 ? 'bleibt' : 'bleiben'} übrig`}
        {index > 0 && <span className={classes.more}> (allein träfe sie {formatInteger(alone)})</span>}
      </span>
    </div>
  );
}
