import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconFlask from 'virtual:icons/flask';
import { useMemo } from 'react';
import { contentKey, type SimulatedContent } from '#shared/repricer/before-save.ts';
import { isComplete, type RepricerRule } from '#shared/repricer/schema.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import classes from './repricer.module.css';

type RuleTrialProps = {
  rule: RepricerRule;
  tried: readonly SimulatedContent[];
  busy: boolean;
  onSimulate: () => void;
};

/** Says next to a rule's switch whether its current form was simulated. It blocks nothing. */
export function RuleTrial({ rule, tried, busy, onSimulate }: RuleTrialProps) {
  const content = useMemo(() => contentKey(rule), [rule]);
  const trial = tried.find((one) => one.rule === rule.id && one.content === content);
  // The editor says what an incomplete rule lacks; it cannot run, so it cannot be simulated.
  if (!isComplete(rule)) return null;
  if (trial !== undefined)
    return (
      <p className="k-muted k-small">
        Diese Fassung hat {trial.author} zuletzt am {formatTime(trial.at)} simuliert
        {trial.offers === 0 ? ', aber zu keinem Artikel waren Angebote bekannt.' : '.'}
      </p>
    );
  return (
    <div className={`${classes.missing} ${classes.untried}`} role="note">
      <IconAlertTriangle size={18} aria-hidden />
      <span>Diese Fassung wurde noch nicht simuliert.</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFlask size={14} aria-hidden />}
        loading={busy}
        onClick={onSimulate}
      >
        Jetzt simulieren
      </Button>
    </div>
  );
}
