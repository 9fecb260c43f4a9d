import { Button } from '@mantine/core';
import IconPlayerPlay from 'virtual:icons/player-play';
import IconStethoscope from 'virtual:icons/stethoscope';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { Diagnosis } from '#shared/diagnosis/schema.ts';
import type { Export } from '#shared/exports/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ReadinessBar, readyWords } from '#client/fields/readiness.tsx';
import { asking } from '#client/loading.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { readQuery, useDiagnosisQuery } from './diagnosis-query.ts';
import classes from './diagnosis.module.css';
import { DiagnosisViews } from './diagnosis-views.tsx';
import { Filters, visibleProblems } from './filters.tsx';
import { Images } from './images.tsx';
import { ItemProblems } from './item-problems.tsx';
import { ProblemList } from './problem-list.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const params = { id: args.params['id'] ?? '' };
  const { run } = readQuery(new URL(args.request.url).searchParams);
  const [shown, diagnosis] = await Promise.all([
    ask(api.export, { params }),
    ask(api.diagnosis, { params, query: run === null ? {} : { run } }),
  ]);
  return { shown, diagnosis };
}

/** Filters work on loaded data; only another run needs a request. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const filtersOnly = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  const same = readQuery(currentUrl.searchParams).run === readQuery(nextUrl.searchParams).run;
  return filtersOnly && same ? false : defaultShouldRevalidate;
}

export default function DiagnosisPage() {
  const { shown, diagnosis } = useLoaderData<typeof loader>();
  return <DiagnosisView key={`${shown.id} ${diagnosis.run?.runid}`} shown={shown} past={diagnosis} />;
}

/** Problems of an export's items, in a past run or computed now. */
function DiagnosisView({ shown: { id, masterid, settings }, past }: { shown: Export; past: Diagnosis }) {
  const [now, setNow] = useState<Diagnosis | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const diagnosis = now ?? past;

  const check = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setNow(await call(api.diagnoseNow, { params: { id }, body: {} }));
    } catch (error) {
      setFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="k-stack" style={{ maxWidth: 1240 }}>
      <PageHeader
        title={`Diagnose · ${settings.name}`}
        lead={`Jeder Artikel von „${settings.name}“ ${diagnosis.channel === '' ? 'auf Ihre Pflichtfelder' : `gegen die Vorgaben von ${diagnosis.channel}`} geprüft, so wie er ausgegeben wird.`}
        actions={
          <>
            {now !== null && past.run !== null && (
              <Button variant="default" onClick={() => setNow(null)}>
                Zurück zum Lauf
              </Button>
            )}
            <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} loading={busy} onClick={() => void check()}>
              Jetzt prüfen
            </Button>
          </>
        }
      />
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <Found id={id} masterid={masterid} diagnosis={diagnosis} past={past} />
    </div>
  );
}

type FoundProps = { id: string; masterid: string; diagnosis: Diagnosis; past: Diagnosis };

function Found({ id, masterid, diagnosis, past }: FoundProps) {
  const [query, put] = useDiagnosisQuery();
  const { readiness, problems, run } = diagnosis;
  if (readiness === null) return <Nothing id={id} diagnosis={diagnosis} />;
  const shown = { id, masterid, runid: run?.runid ?? null };
  const list = visibleProblems(problems, query);
  return (
    <>
      <section className="k-card k-stack" aria-labelledby="bereit">
        <div className="k-between">
          <h2 id="bereit">{readyWords(readiness)} der Artikel sind bereit</h2>
          <p className="k-muted k-small" role="status">
            {run === null
              ? 'Jetziger Stand, eben geprüft; es wurde nichts ausgegeben.'
              : `Lauf vom ${formatTime(run.finishedAt)}`}
          </p>
        </div>
        <ReadinessBar readiness={readiness} />
        {diagnosis.omitted > 0 && (
          <p className="k-small">
            {formatCount(diagnosis.omitted, 'Artikel mit Fehlern wurde', 'Artikel mit Fehlern wurden')} nicht
            ausgegeben, wie in den <Link to={pathTo(pages.exportSettings, { id })}>Einstellungen</Link> verlangt.
          </p>
        )}
        {diagnosis.state === 'not_kept' && (
          <p className="k-small">Die Artikel dieses Laufs werden nicht mehr aufbewahrt; nur die Zahlen sind noch da.</p>
        )}
      </section>
      {problems.length === 0 ? (
        <p className="k-card">Kein Problem gefunden. So kann die Datei zum Kanal.</p>
      ) : (
        <section className="k-stack" aria-labelledby="probleme">
          <div className={classes.bar}>
            <h2 id="probleme">Probleme</h2>
            <div className={classes.tools}>
              <DiagnosisViews />
              <Filters problems={problems} query={query} onChange={put} />
            </div>
          </div>
          {list.length === 0 && <p className="k-card">Kein Problem passt zu diesen Filtern.</p>}
          <ProblemList problems={list} readiness={readiness} shown={shown} />
        </section>
      )}
      {diagnosis.images !== null && <Images key={diagnosis.images.running} id={id} images={diagnosis.images} />}
      {past.run !== null && past.readiness !== null && (
        <ItemProblems
          shown={{ ...shown, runid: past.run.runid }}
          itemid={query.item}
          onItem={(itemid) => put('item', itemid)}
        />
      )}
    </>
  );
}

/** Shown if the export never ran, or has nothing to check. */
function Nothing({ id, diagnosis: { state } }: { id: string; diagnosis: Diagnosis }) {
  if (state === 'never_run')
    return (
      <EmptyState
        icon={IconStethoscope}
        title="Noch kein Lauf"
        action={
          <Button component={Link} to={pathTo(pages.export, { id })} variant="default">
            Zum Export
          </Button>
        }
      >
        Der Export lief noch nie. Jeder Lauf prüft alle Artikel; mit „Jetzt prüfen“ sehen Sie schon vorher, was fehlt.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconStethoscope}
      title="Nichts zu prüfen"
      action={
        <Button component={Link} to={pathTo(pages.construction, { id })} variant="default">
          Zum Feldaufbau
        </Button>
      }
    >
      Für den Kanal dieses Exports gibt es keine Vorlage. Geprüft werden dann nur Felder, die Sie im Feldaufbau als
      Pflicht kennzeichnen; gekennzeichnet ist keines.
    </EmptyState>
  );
}
