import { Button, Loader } from '@mantine/core';
import IconCalculator from 'virtual:icons/calculator';
import IconInfoCircle from 'virtual:icons/info-circle';
import type { RuleEffect } from '#shared/rules/effect.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { uncalculatedSentence } from '#shared/rules/sentences.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import classes from './effect-panel.module.css';
import { EffectSamples } from './effect-samples.tsx';
import type { RuleScope } from '#client/screens/rules/rule-scope.ts';
import type { Live } from '#client/use-live.ts';

type EffectPanelProps = {
  scope: RuleScope;
  masterid: string;
  effect: Live<RuleEffect>;
  /** The rule as it is in the form. */
  rule: Rule;
  /** Without items there is nothing to show. */
  hasItems: boolean;
  /** The article grid is being computed (RUL-11). */
  computing: boolean;
  /** The grid being computed is for the current rules: requesting it again would give the same. */
  requested: boolean;
  onCompute: () => void;
};

/** The effect of the rule on the catalogue while it is edited: the flow of the items as a picture, then examples. */
export function EffectPanel({
  scope,
  masterid,
  effect,
  rule,
  hasItems,
  computing,
  requested,
  onCompute,
}: EffectPanelProps) {
  const { answer } = effect;
  return (
    <section className={`k-card ${classes.panel}`} aria-labelledby="wirkung" aria-busy={effect.busy}>
      <div className={classes.head}>
        <h2 id="wirkung">Wirkung</h2>
        <LiveState effect={effect} />
        <Button
          variant="default"
          size="xs"
          disabled={requested}
          leftSection={
            computing ? (
              <Loader size={14} role="img" aria-label="wird berechnet" />
            ) : (
              <IconCalculator size={14} aria-hidden />
            )
          }
          onClick={onCompute}
        >
          Berechne Regel
        </Button>
      </div>
      <div className={classes.body} data-stale={(effect.busy && answer !== null) || undefined}>
        {!hasItems && (
          <p className="k-muted">
            Sobald dieser Katalog Artikel hat, sehen Sie hier, wie viele die Regel trifft und wie sie danach aussehen.
          </p>
        )}
        {answer === null ? (
          hasItems && <Waiting failed={effect.failure !== null} />
        ) : (
          <Flow effect={answer} rule={rule} />
        )}
        {answer !== null && answer.samples.length > 0 && (
          <div className="k-renewing" aria-busy={effect.busy}>
            <EffectSamples scope={scope} masterid={masterid} samples={answer.samples} total={answer.held} />
          </div>
        )}
      </div>
    </section>
  );
}

/** A discreet note that numbers are loading, or failed to load. Its space is always reserved. */
function LiveState({ effect: { busy, failure, retry } }: { effect: Live<RuleEffect> }) {
  return (
    <div className={classes.state}>
      {busy && <span aria-hidden>wird berechnet …</span>}
      {failure !== null && (
        <>
          <span role="status" title={failure.message}>
            {failure.message}
          </span>
          <button type="button" className={classes.retry} onClick={retry}>
            Erneut versuchen
          </button>
        </>
      )}
    </div>
  );
}

function Waiting({ failed }: { failed: boolean }) {
  return (
    <div className={classes.waiting} aria-hidden>
      <div className={classes.figures}>{failed ? 'Keine Zahlen' : ''}</div>
      <div className={classes.bar} />
    </div>
  );
}

/** pre, post and diff of RUL-11 as one bar: items excluded, changed, matched without a change, and not matched. */
function Flow({ effect, rule }: { effect: RuleEffect; rule: Rule }) {
  const { count, held, unchanged, reason } = effect;
  const excluded = count.pre - count.post;
  const changed = count.diff - excluded;
  const parts = [
    { kind: 'changed', label: 'geändert', value: changed },
    { kind: 'excluded', label: 'ausgeschlossen', value: excluded },
    { kind: 'met', label: 'getroffen, bleibt gleich', value: Math.max(0, held - count.diff) },
    { kind: 'rest', label: 'nicht getroffen', value: count.pre - held },
  ] as const;
  return (
    <>
      <p className={classes.figures} role="status">
        <span>
          <b>{formatInteger(count.pre)}</b> {count.pre === 1 ? 'kommt' : 'kommen'} an
        </span>
        <span aria-hidden>→</span>
        <span>
          <b>{formatInteger(count.post)}</b> {count.post === 1 ? 'geht' : 'gehen'} weiter
        </span>
      </p>
      <div className={classes.bar} aria-hidden>
        {parts.map(
          ({ kind, value }) =>
            value > 0 && <span key={kind} data-kind={kind} style={{ flexGrow: value / Math.max(1, count.pre) }} />,
        )}
      </div>
      <ul className={classes.legend}>
        {parts.map(({ kind, label, value }) =>
          kind === 'met' && value === 0 ? null : (
            <li key={kind} data-none={value === 0 || undefined}>
              <span className={classes.swatch} data-kind={kind} aria-hidden />
              <b>{formatInteger(value)}</b> {label}
            </li>
          ),
        )}
      </ul>
      {reason !== null && (
        <p className={classes.reason}>
          <IconInfoCircle size={18} aria-hidden />
          <span>{reason}</span>
        </p>
      )}
      {/* If nothing changed at all, the reason already says so. */}
      {unchanged > 0 && reason === null && <p className="k-small k-muted">{uncalculatedSentence(rule, unchanged)}</p>}
      {!rule.active && <p className="k-small k-muted">Die Regel ist pausiert; gerechnet wird, als wäre sie aktiv.</p>}
    </>
  );
}
