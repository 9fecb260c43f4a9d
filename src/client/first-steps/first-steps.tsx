import { Button, CloseButton } from '@mantine/core';
import IconArrowRight from 'virtual:icons/arrow-right';
import IconCheck from 'virtual:icons/check';
import { useEffect, useState } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import type { FirstSteps } from '#shared/masters/first-steps.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { usePreference } from '#client/preferences.ts';
import { useMay } from '#client/shell/session.ts';
import { isAtItems, isOnTheWay, nextOf, type Step, stepsOf } from './steps.ts';
import { useFirstSteps } from './use-first-steps.ts';
import classes from './first-steps.module.css';

/** Leads a new user from nothing to the first file; hidden once there is a file, or when the user closes it. */
export function FirstStepsStrip({ first, failed }: { first: FirstSteps | null; failed: boolean }) {
  const { pathname } = useLocation();
  const [closed, setClosed] = usePreference('firstSteps');
  const mayEdit = useMay('edit');
  const [viewedFile, setViewedFile] = useState(false);
  useEffect(() => {
    if (isAtItems(pathname)) setViewedFile(true);
  }, [pathname]);
  const watched = mayEdit && closed === '' && isOnTheWay(pathname);
  const found = useFirstSteps(first, pathname, watched);
  if (watched && failed) return <NotLoaded />;
  if (!watched || found === null || found.file) return null;
  const steps = stepsOf(found, viewedFile || isAtItems(pathname));
  const next = nextOf(steps);
  return (
    <nav className={classes.strip} aria-labelledby="erste-schritte" data-first-steps>
      <div className={classes.head}>
        <h2 id="erste-schritte">Erste Schritte</h2>
        <CloseButton aria-label="Erste Schritte ausblenden" onClick={() => setClosed('closed')} />
      </div>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li
            key={step.label}
            className={step === next ? classes.current : step.done ? classes.done : classes.later}
            aria-current={step === next ? 'step' : undefined}
          >
            {step.done && <IconCheck size={16} aria-label="Erledigt:" />}
            {step === next || step.to === null ? (
              step.label
            ) : (
              <Link to={step.done ? placeOf(step.to) : step.to}>{step.label}</Link>
            )}
          </li>
        ))}
      </ol>
      {next !== undefined && <Next step={next} pathname={pathname} />}
      {found.imported && found.masterid !== null && (
        <p className="k-small k-muted">
          Wenn Sie mögen: Eine <Link to={pathTo(pages.masterRules, { masterid: found.masterid })}>Regel</Link> ändert
          Werte oder schließt Artikel aus. Für die erste Datei braucht es keine.
        </p>
      )}
    </nav>
  );
}

/** Without the data nobody knows whether there is a step to do: one line says so and offers a retry. */
function NotLoaded() {
  const { revalidate, state } = useRevalidator();
  return (
    <p className={classes.strip} role="status">
      Die ersten Schritte konnten nicht geladen werden.{' '}
      <Button size="compact-sm" variant="default" loading={state === 'loading'} onClick={() => void revalidate()}>
        Erneut laden
      </Button>
    </p>
  );
}

/** The next step in words; a link unless it is done on the current screen. */
function Next({ step: { label, hint, to }, pathname }: { step: Step; pathname: string }) {
  return (
    <p className={classes.next}>
      <span>Als Nächstes:</span>
      {to === null || (placeOf(to) === pathname && !opensDialog(to)) ? (
        <strong>{label}</strong>
      ) : (
        <Link to={to}>
          <strong>{label}</strong>
          <IconArrowRight size={16} aria-hidden />
        </Link>
      )}
      <span>{hint}</span>
    </p>
  );
}

/** Drops the query: a step that is done links to its screen, not to the action. */
const placeOf = (to: string) => to.split('?')[0] ?? to;

/** On the overview the link is still needed: it opens the dialog. */
const opensDialog = (to: string) => to.startsWith(`${pages.overview.path}?`);
