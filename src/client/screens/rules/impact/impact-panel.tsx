import IconAlertOctagon from 'virtual:icons/alert-octagon';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconChevronDown from 'virtual:icons/chevron-down';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconInfoCircle from 'virtual:icons/info-circle';
import { useId, useState } from 'react';
import type { ExportImpact, RuleImpact } from '#shared/rules/effect.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { ImpactDetails } from './impact-details.tsx';
import classes from './impact-panel.module.css';
import { type ImpactLevel, impactLevel, impactWords, touchedExports } from './impact-words.ts';
import type { Live } from '#client/use-live.ts';

type ImpactPanelProps = { masterid: string; impact: Live<RuleImpact> };

const icons = {
  danger: { icon: IconAlertOctagon, word: 'Gefährlich' },
  notice: { icon: IconAlertTriangle, word: 'Achtung' },
  quiet: { icon: IconInfoCircle, word: 'Hinweis' },
  none: { icon: IconCircleCheck, word: 'Gut' },
} as const satisfies Record<ImpactLevel, object>;
/** Exports shown as lines; the others are only counted. */
const mostLines = 2;

/** What saving would change in the exports, a line each, computed on all items; the details unfold. Saving never waits. */
export function ImpactPanel({ masterid, impact: { answer, busy, failure, retry } }: ImpactPanelProps) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  if (answer?.exports.length === 0) return null;
  const touched = touchedExports(answer?.exports ?? []);
  const shown = touched.slice(0, mostLines);
  return (
    <section className={classes.panel} aria-label="Auswirkung auf Exporte" aria-busy={busy}>
      {opened && (
        <ScrollRegion label="Einzelheiten der Auswirkung" className={classes.details}>
          <div id={id}>
            {touched.map((one) => (
              <ImpactDetails key={one.id} impact={one} masterid={masterid} />
            ))}
          </div>
        </ScrollRegion>
      )}
      <div className={classes.row}>
        <ul className={classes.lines} data-stale={(busy && answer !== null) || undefined}>
          {shown.map((one) => (
            <Line key={one.id} impact={one} />
          ))}
          {touched.length === 0 && answer !== null && (
            <li data-level="none">
              <IconCircleCheck size={16} aria-hidden />
              <span>Kein Export ändert sich dadurch.</span>
            </li>
          )}
          {answer === null && <li>{failure === null ? 'Auswirkung auf die Exporte wird berechnet …' : ''}</li>}
        </ul>
        {failure !== null && (
          <span className={classes.failure} role="status">
            Auswirkung nicht berechnet: {failure.message}{' '}
            <button type="button" className={classes.toggle} onClick={retry}>
              Erneut versuchen
            </button>
          </span>
        )}
        {busy && answer !== null && <span className="k-muted k-small">wird berechnet …</span>}
        {touched.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={opened}
            aria-controls={opened ? id : undefined}
            onClick={() => setOpened(!opened)}
          >
            Einzelheiten{touched.length > mostLines && ` zu ${formatInteger(touched.length)} Exporten`}
            <IconChevronDown size={14} aria-hidden data-opened={opened || undefined} />
          </button>
        )}
      </div>
    </section>
  );
}

function Line({ impact }: { impact: ExportImpact }) {
  const level = impactLevel(impact);
  const { icon: Icon, word } = icons[level];
  return (
    <li data-level={level}>
      <Icon size={16} aria-hidden />
      <span>
        <span className="k-hidden">{word}: </span>
        <b>{impact.name}:</b> {impactWords(impact)}
      </span>
    </li>
  );
}
