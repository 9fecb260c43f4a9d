import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { DifferenceForm } from '#client/fields/difference-form.tsx';
import { asking } from '#client/loading.ts';
import { CurrentRun, useCurrentRun } from '#client/fields/runs/current-run.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { TrashCard } from '#client/fields/trash-card.tsx';
import { useMay } from '#client/shell/session.ts';
import { useNextFocus } from '#client/ui/focus/use-next-focus.ts';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { FieldList } from './field-list.tsx';
import classes from './import.module.css';
import { ImportSchedule } from './import-schedule.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { ResultSummary } from './result-summary.tsx';
import { SnapshotList } from './snapshot-list.tsx';
import { SourceForm } from './source-form.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const params = { masterid: args.params['masterid'] ?? '' };
  const [master, runs, snapshots, difference, schedule, limits, uploads] = await Promise.all([
    ask(api.master, { params }),
    ask(api.masterRuns, { params }),
    ask(api.snapshots, { params }),
    ask(api.importDifference, { params }),
    ask(api.importSchedule, { params }),
    ask(api.importLimits),
    ask(api.importUploads, { params }),
  ]);
  const page = await ask(api.items, { query: { ...params, limit: 1 } });
  return { master, runs, snapshots, difference, schedule, limits, uploads, fields: page.fields };
}

/** Keyed by the catalogue: the form's content belongs to one catalogue only. */
export default function ImportPage() {
  const loaded = useLoaderData<typeof loader>();
  return <Import key={loaded.master.masterid} {...loaded} />;
}

function Import(loaded: Awaited<ReturnType<typeof loader>>) {
  const { master, runs, snapshots, difference, schedule, limits, uploads, fields } = loaded;
  const { masterid, name, items, importedAt } = master;
  const mayRun = useMay('run');
  const mayEdit = useMay('edit');
  const mayDelete = useMay('admin');
  const { revalidate } = useRevalidator();
  const current = useCurrentRun({ kind: 'import', owner: masterid }, runs);
  const { run, underWay } = current;
  const [round, setRound] = useState(0);
  // An import that was started here: the focus goes from its button to what says that it runs, and then to its result.
  const startedHere = round > 0;
  const { pressed, next: progress } = useNextFocus<HTMLHeadingElement>(startedHere && underWay);
  const { next: result } = useNextFocus<HTMLHeadingElement>(startedHere && !underWay);
  const lead =
    importedAt === null
      ? 'Laden Sie Ihre Artikel aus einer Datei oder von einer Adresse.'
      : `${formatCount(items, 'Artikel', 'Artikel')}, Stand vom ${formatTime(importedAt)}`;
  const taken = run?.state === 'done' || run?.state === 'blocked' ? run.runid : null;

  const onStarted = (runid: string) => {
    current.onStarted(runid);
    setRound((now) => now + 1);
  };

  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader title={`Import · ${name}`} lead={lead} />
      <CurrentRun current={current} mayRun={mayRun} heading={progress} />
      {mayRun && (
        <SourceForm
          masterid={masterid}
          limits={limits}
          fields={fields}
          busy={underWay}
          taken={taken}
          uploads={uploads}
          onUploads={() => void revalidate()}
          onStarted={onStarted}
          startButton={pressed}
        />
      )}
      {run !== null && !underWay && <ResultSummary run={run} heading={result} />}
      {run !== null && !underWay && <RejectedRows key={`${run.runid}-${round}`} run={run} />}
      <FieldList
        masterid={masterid}
        fields={fields}
        keyName={master.key}
        items={items}
        mayEdit={mayEdit}
        onNoted={revalidate}
      />
      <ImportSchedule
        masterid={masterid}
        schedule={schedule}
        busy={underWay}
        onStarted={onStarted}
        onSaved={() => void revalidate()}
      />
      <RunHistory runs={runs} title="Letzte Importe" onRetried={mayRun ? onStarted : undefined} />
      <SnapshotList
        masterid={masterid}
        snapshots={snapshots}
        runs={runs}
        mayRun={mayRun}
        onChange={() => void revalidate()}
      />
      <DifferenceForm owner={{ kind: 'master', id: masterid }} loaded={difference} mayEdit={mayEdit} />
      {mayDelete && <TrashCard kind="catalogue" id={masterid} name={name} />}
    </div>
  );
}
