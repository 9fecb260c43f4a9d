import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { DifferenceForm } from '#client/fields/difference-form.tsx';
import { asking } from '#client/loading.ts';
import { ReleaseNotice } from '#client/fields/runs/release-notice.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { isUnderWay, waitingRun } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { TrashCard } from '#client/fields/trash-card.tsx';
import { useMay } from '#client/shell/session.ts';
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
  const { run, lost, follow } = useRun(runs[0] ?? null, () => void revalidate());
  const [round, setRound] = useState(0);
  const lead =
    importedAt === null
      ? 'Laden Sie Ihre Artikel aus einer Datei oder von einer Adresse.'
      : `${formatCount(items, 'Artikel', 'Artikel')}, Stand vom ${formatTime(importedAt)}`;
  const underWay = run !== null && isUnderWay(run);
  const waiting = waitingRun(run, runs);
  const taken = run?.state === 'done' || run?.state === 'blocked' ? run.runid : null;

  const onStarted = (runid: string) => {
    follow(queuedRun(runid, 'import', masterid));
    setRound((now) => now + 1);
  };
  const onChange = async (changed: typeof run & object) => {
    // An older run that was held back is not the one shown.
    if (changed.runid === run?.runid) follow(changed);
    await revalidate();
  };

  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader title={`Import · ${name}`} lead={lead} />
      {underWay && (
        <RunProgress run={run} lost={lost} onChange={(changed) => void onChange(changed)} mayCancel={mayRun} />
      )}
      {waiting && (
        <ReleaseNotice
          key={waiting.runid}
          run={waiting}
          newest={waiting.runid === run?.runid}
          mayRelease={mayRun}
          onChange={onChange}
        />
      )}
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
        />
      )}
      {run !== null && !underWay && <ResultSummary run={run} />}
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
