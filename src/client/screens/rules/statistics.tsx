import { Button, Loader } from '@mantine/core';
import { IconCalculator, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import type { Rule } from '#shared/rules.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatCount, formatInteger } from '../../ui/formats.ts';
import type { RuleScope } from './rule-scope.ts';
import classes from './rules.module.css';
import { StatisticsGrid } from './statistics-grid.tsx';
import { type Result, useStatistics } from './use-statistics.ts';

type StatisticsProps = { scope: RuleScope; rule: Rule; rules: readonly Rule[] };

/** RUL-11: what the rule does to the catalogue, computed on the rules as they stand in the form. */
export function Statistics({ scope, rule, rules }: StatisticsProps) {
  const { result, busy, failure, ask, loadPage } = useStatistics(scope);
  const [opened, setOpened] = useState(true);
  const start = () => {
    setOpened(true);
    void ask(rule.id, rules);
  };
  return (
    <section className={`k-card k-stack ${classes.statistics}`} aria-labelledby="wirkung" aria-busy={busy}>
      <div className="k-between">
        <h2 id="wirkung">Vorschau</h2>
        <Button
          variant="default"
          leftSection={
            busy ? <Loader size={16} aria-label="wird berechnet" /> : <IconCalculator size={16} aria-hidden />
          }
          onClick={start}
        >
          Berechne Regel
        </Button>
      </div>
      <ErrorNotice failure={failure} onRetry={start} />
      {result === null && !busy && failure === null && (
        <p className="k-muted">
          Zeigt, wie viele Artikel die Regel trifft und wie sie danach aussehen. Es wird nichts gespeichert.
        </p>
      )}
      {result !== null && (
        <>
          <Counts result={result} paused={!rule.active} stale={result.question.rules !== rules} busy={busy} />
          {opened ? (
            <StatisticsGrid result={result} busy={busy} onPage={loadPage} onClose={() => setOpened(false)} />
          ) : (
            <div>
              <Button
                variant="default"
                leftSection={<IconTable size={16} aria-hidden />}
                onClick={() => setOpened(true)}
              >
                Artikel ansehen ({formatInteger(result.total)})
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

type CountsProps = { result: Result; paused: boolean; stale: boolean; busy: boolean };

function Counts({ result, paused, stale, busy }: CountsProps) {
  const { pre, post, diff } = result.count;
  const share = pre === 0 ? 0 : (post / pre) * 100;
  const change = post - pre;
  return (
    <div className={classes.counts} style={busy ? { opacity: 0.55 } : undefined}>
      <div className="k-between">
        <p role="status">
          vorher <b>{formatInteger(pre)}</b> → nachher <b>{formatInteger(post)}</b> (
          <b>{change === 0 ? '±0' : formatInteger(change)}</b>)
        </p>
        <p className="k-muted k-small">
          trifft auf {formatCount(result.total, 'Artikel', 'Artikel')} zu, {formatInteger(diff)} geändert oder
          ausgeschlossen
        </p>
      </div>
      <div className={classes.bar} aria-hidden>
        <div style={{ width: `${share}%` }} />
      </div>
      {result.message !== '' && <p className="k-small">{result.message}</p>}
      {paused && <p className="k-muted k-small">Die Regel ist pausiert; gerechnet wurde, als wäre sie aktiv.</p>}
      {stale && <p className="k-small">Sie haben die Regeln seither geändert. Berechnen Sie neu.</p>}
    </div>
  );
}
