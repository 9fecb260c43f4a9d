import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { use, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { RepricerRule } from '#shared/repricer/schema.ts';
import { numberText } from '#shared/values/number-text.ts';
import { call } from '#client/call.ts';
import { logFailure } from '#client/failure.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { ExamplesContext } from './examples-context.ts';
import classes from './repricer.module.css';

/** Own offers whose minimum is above their maximum: their number, the total, and an example item. */
type Crossed = { fields: string; count: number; total: number; item: string };
/** Milliseconds to wait, since all offers are evaluated: not for a choice that is changed at once. */
const WAIT_MS = 500;
type CrossedLimitsProps = { masterid: string; rule: RepricerRule };

/** Warns before a save that a rule reads a minimum above the maximum: it would leave these prices unchanged permanently. */
export function CrossedLimits({ masterid, rule }: CrossedLimitsProps) {
  const crossed = useCrossedLimits(masterid, rule);
  if (crossed === null) return null;
  return (
    <p className={classes.missing} role="status">
      <IconAlertTriangle size={18} aria-hidden />
      <span>
        Bei {formatInteger(crossed.count)} von {formatInteger(crossed.total)} Ihrer Angebote liegt der Mindestpreis über
        dem Maximalpreis, zum Beispiel bei <Link to={pricePath(masterid, crossed.item)}>{crossed.item}</Link>. Deren
        Preis fasst diese Regel nicht an. Bitte prüfen Sie, ob die beiden Felder vertauscht sind.
      </span>
    </p>
  );
}

/** Evaluates all offers, so it runs only if the fields were changed here, or if their examples make the error likely. */
function useCrossedLimits(masterid: string, rule: RepricerRule): Crossed | null {
  const examples = use(ExamplesContext);
  const [found, setFound] = useState<Crossed | null>(null);
  const { min_price: min, max_price: max } = rule.action;
  const fields = JSON.stringify([rule.id, min.value, max.value]);
  const opened = useRef(fields);
  const [low, high] = [min, max].map(({ value }) => Number(numberText(examples.get(value) ?? '')));
  const isDoubtful = (low ?? Number.NaN) > (high ?? Number.NaN);
  useEffect(() => {
    const isNew = opened.current !== fields;
    const isChosen = min.value !== '' && max.value !== '' && min.value !== max.value;
    if (!isChosen || !(isNew || isDoubtful)) return undefined;
    const stop = new AbortController();
    const poll = async () => {
      const { total, reasons, rows } = await call(api.simulatePrices, {
        params: { masterid },
        body: { rule: onlyLimits(rule), reason: 'HOLD_BOUNDS_INVERTED', limit: 1 },
        signal: stop.signal,
      });
      const [first] = rows;
      const count = reasons['HOLD_BOUNDS_INVERTED'] ?? 0;
      if (!stop.signal.aborted && first !== undefined) setFound({ fields, count, total, item: first.item });
    };
    // Failing to show this hint needs no notice: the simulation and the question before a save report their own failures.
    const missed = (error: unknown) => {
      if (!stop.signal.aborted) logFailure('Fehler beim Laden', error);
    };
    const later = setTimeout(() => void poll().catch(missed), WAIT_MS);
    return () => {
      clearTimeout(later);
      stop.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- repeated when the fields change, not with each letter of the name
  }, [masterid, fields, isDoubtful]);
  return found?.fields === fields ? found : null;
}

/** Returns the rule with everything set except its two limits, so that they are compared even if the rule is incomplete. */
function onlyLimits(rule: RepricerRule): RepricerRule {
  return {
    ...rule,
    action: { ...rule.action, strategy: 1, diff_price: '0.00', standard_price: rule.action.min_price },
  };
}
