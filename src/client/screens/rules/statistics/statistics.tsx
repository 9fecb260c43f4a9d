import { Button } from '@mantine/core';
import IconTable from 'virtual:icons/table';
import type { Rule } from '#shared/rules/schema.ts';
import { ScrollIntoView } from '#client/fields/scroll-into-view.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import classes from '#client/screens/rules/rules.module.css';
import { StatisticsGrid } from './statistics-grid.tsx';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';
import { type Result, type StatisticsState, useCsv } from './use-statistics.ts';

type StatisticsProps = {
  scope: RuleScope;
  statistics: StatisticsState;
  rules: readonly Rule[];
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onCompute: () => void;
};

/** RUL-11, RUL-12: the result of 'Berechne Regel', computed on the rules as they were in the form then. */
export function Statistics({ scope, statistics, rules, opened, onOpened, onCompute }: StatisticsProps) {
  const { result, busy, failure, loadPage } = statistics;
  const { exporting, exportCsv } = useCsv(scope, result);
  if (result === null && failure === null) return null;
  return (
    <section className={`k-card k-stack ${classes.statistics}`} aria-label="Artikel der Regel" aria-busy={busy}>
      <ScrollIntoView of={failure}>
        <ErrorNotice failure={failure} onRetry={onCompute} />
      </ScrollIntoView>
      {result !== null && (
        <>
          <ScrollIntoView of={result.question}>
            <Counts result={result} stale={result.question.rules !== rules} />
          </ScrollIntoView>
          {opened ? (
            <StatisticsGrid
              result={result}
              busy={busy}
              onPage={loadPage}
              onClose={() => onOpened(false)}
              onExport={exportCsv}
              exporting={exporting}
            />
          ) : (
            <div>
              <Button
                variant="default"
                leftSection={<IconTable size={16} aria-hidden />}
                onClick={() => onOpened(true)}
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

function Counts({ result, stale }: { result: Result; stale: boolean }) {
  const { pre, post, diff } = result.count;
  const change = post - pre;
  return (
    <div className={classes.counts}>
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
      {result.message !== '' && <p className="k-small">{result.message}</p>}
      {stale && <p className="k-small">Sie haben die Regeln seither geändert. Berechnen Sie neu.</p>}
    </div>
  );
}
