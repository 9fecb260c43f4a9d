import { Button, Loader } from '@mantine/core';
import IconChevronDown from 'virtual:icons/chevron-down';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { decisionReasons } from '#shared/repricer/decision.ts';
import type { PriceDecision } from '#shared/repricer/history.ts';
import { useMarketplaceCurrency, useMarketplaceName } from '#client/marketplaces.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { Badge } from '#client/ui/badge.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { moneyText } from '#shared/values/money-text.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { decisionChapters, stateOf } from './decision-words.ts';
import { useLive } from '#client/use-live.ts';
import { PriceComparison } from './price-ruler.tsx';
import classes from './prices.module.css';

const chunk = 10;

/** 'Warum dieser Preis?': every price decision for an item, newest first. */
export function PriceDecisions({ masterid, itemid }: { masterid: string; itemid: string }) {
  const { decisions, more, busy, failure, loadOlder, retry } = useDecisions(masterid, itemid);
  const marketplaces = new Set((decisions ?? []).map(({ marketplace }) => marketplace));
  return (
    <div className="k-stack">
      <ErrorNotice failure={failure} onRetry={retry} />
      {decisions === null && failure === null && <Loading />}
      {decisions?.length === 0 && (
        <p className="k-muted">
          Für diesen Artikel wurde noch kein Preis entschieden. Welche Regel für ihn gilt, steht im{' '}
          <Link to={pathTo(pages.repricer, { masterid })}>Repricer</Link>.
        </p>
      )}
      <ol className={classes.decisions} aria-label="Entscheidungen, neueste zuerst">
        {(decisions ?? []).map((decision, index) => (
          <li key={decision.id}>
            <Decision decision={decision} opened={index === 0} named={marketplaces.size > 1} />
          </li>
        ))}
      </ol>
      {more && (
        <div>
          <Button variant="default" loading={busy} onClick={loadOlder}>
            Ältere Entscheidungen
          </Button>
        </div>
      )}
    </div>
  );
}

const Loading = () => <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />;

/** Current price comparisons of an item, one for each marketplace where it is sold; also before the first decision. */
export function PriceComparisons({ masterid, itemid }: { masterid: string; itemid: string }) {
  const marketplaceName = useMarketplaceName();
  const item = useMemo(() => ({ masterid, itemid }), [masterid, itemid]);
  const { answer, failure, retry } = useLive(
    item,
    (signal) => call(api.priceRuler, { params: item, query: {}, signal }),
    { delay: 0 },
  );
  return (
    <>
      <ErrorNotice failure={failure} onRetry={retry} />
      {answer === null && failure === null && <Loading />}
      {answer?.length === 0 && (
        <p className="k-muted">Dieser Artikel ist noch keinem Angebot bei einem Marktplatz zugeordnet.</p>
      )}
      {answer?.map((ruler) => (
        <section key={ruler.marketplace} aria-label={`Preis bei ${marketplaceName(ruler.marketplace)}`}>
          <h2 className={classes.marketplace}>{marketplaceName(ruler.marketplace)}</h2>
          <PriceComparison ruler={ruler} />
        </section>
      ))}
    </>
  );
}

type DecisionProps = { decision: PriceDecision; opened: boolean; named: boolean };

function Decision({ decision, opened, named }: DecisionProps) {
  const marketplaceName = useMarketplaceName();
  const { arithmetic, price_cents: price, reason, decidedAt, marketplace } = decision;
  const currency = useMarketplaceCurrency()(marketplace);
  const state = stateOf(decision);
  return (
    <details className={classes.decision} open={opened}>
      <summary>
        <IconChevronDown size={16} aria-hidden />
        <span className={classes.prices}>
          {moneyText(arithmetic.current_cents, currency)} → {price === null ? 'bleibt' : moneyText(price, currency)}
        </span>
        <Badge tone={state.tone}>{state.word}</Badge>
        <span className={classes.reason}>{decisionReasons[reason]}</span>
        <span className="k-muted k-small">
          {named && `${marketplaceName(marketplace)}, `}
          <time dateTime={decidedAt}>{formatTime(decidedAt)}</time>
        </span>
      </summary>
      <dl className={classes.chapters}>
        {decisionChapters(decision, currency).map(({ title, sentences }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {sentences.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function useDecisions(masterid: string, itemid: string) {
  const [decisions, setDecisions] = useState<readonly PriceDecision[] | null>(null);
  const [more, setMore] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  /** Id of the decision whose predecessors are loaded; undefined: the newest are loaded. */
  const [before, setBefore] = useState<number | undefined>(undefined);
  const [busy, setBusy] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    setBusy(true);
    const load = async () => {
      try {
        const query = { limit: chunk, ...(before === undefined ? {} : { before }) };
        const part = await call(api.priceDecisions, { params: { masterid, itemid }, query, signal: stop.signal });
        if (stop.signal.aborted) return;
        setDecisions((now) => (before === undefined ? part : [...(now ?? []), ...part]));
        setMore(part.length === chunk);
        setFailure(null);
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      } finally {
        if (!stop.signal.aborted) setBusy(false);
      }
    };
    void load();
    return () => stop.abort();
  }, [masterid, itemid, before, attempt]);
  const retry = () => setAttempt((now) => now + 1);
  const loadOlder = () => {
    // After a failure the same ones are asked for again.
    retry();
    setBefore(decisions?.at(-1)?.id);
  };
  return { decisions, more, busy, failure, loadOlder, retry };
}
