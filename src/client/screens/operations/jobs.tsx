import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type InstallationUse, jobLabel } from '#shared/operations/installation-use.ts';
import type { Installation } from '#shared/operations/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { Pause } from './pause.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatInteger, formatShare, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

type Running = InstallationUse['running'][number];
const states = new Map([
  ['queued', 'wartet'],
  ['running', 'läuft'],
  ['failed', 'gescheitert (24 h)'],
]);

const jobColumns: readonly TableColumn<InstallationUse['jobs'][number]>[] = [
  { title: 'Art', kind: 'name', cell: ({ kind }) => jobLabel(kind) },
  { title: 'Zustand', cell: ({ state }) => states.get(state) ?? state },
  { title: 'Anzahl', kind: 'number', cell: ({ count }) => formatInteger(count) },
  { title: 'Ältester von', cell: ({ oldest }) => (oldest === null ? '–' : formatTime(oldest)) },
];

/** Waiting, running and failed jobs of all companies; running ones can be stopped, and starting jobs can be paused. */
export function Jobs({
  jobs,
  running,
  paused,
}: Pick<InstallationUse, 'jobs' | 'running'> & Pick<Installation, 'paused'>) {
  const [cancelling, setCancelling] = useState<Running | null>(null);
  return (
    <section className="k-card k-stack" aria-labelledby="laeufe">
      <h2 id="laeufe">Läufe</h2>
      <Pause paused={paused} running={running.length} />
      {jobs.length === 0 ? (
        <p className="k-muted">Nichts wartet, nichts läuft, nichts ist in den letzten 24 Stunden gescheitert.</p>
      ) : (
        <Table
          stacks
          label="Läufe nach Art"
          columns={jobColumns}
          rows={jobs}
          rowId={({ kind, state }) => `${kind} ${state}`}
        />
      )}
      {running.length > 0 && <RunningJobs running={running} onCancel={setCancelling} />}
      <CancelQuestion asked={cancelling} onClose={() => setCancelling(null)} />
    </section>
  );
}

const runningColumns = (onCancel: (job: Running) => void): readonly TableColumn<Running>[] => [
  { title: 'Firma', kind: 'name', cell: ({ companyName }) => companyName },
  { title: 'Art', cell: ({ kind }) => jobLabel(kind) },
  { title: 'Seit', cell: ({ startedAt }) => (startedAt === null ? '–' : formatTime(startedAt)) },
  { title: 'Stand', cell: ({ progress }) => progressOf(progress) },
  { title: 'Prozess', cell: ({ worker }) => worker ?? '–' },
  {
    title: 'Abbrechen',
    kind: 'action',
    cell: (job) =>
      job.cancelling ? (
        'wird abgebrochen'
      ) : (
        <Button size="xs" variant="default" onClick={() => onCancel(job)}>
          Abbrechen …
        </Button>
      ),
  },
];

function RunningJobs({ running, onCancel }: { running: readonly Running[]; onCancel: (job: Running) => void }) {
  return (
    <Table
      stacks
      label="Laufende"
      caption="Was gerade läuft"
      columns={runningColumns(onCancel)}
      rows={running}
      rowId={({ id }) => id}
    />
  );
}

const progressOf = ({ done, total, phase }: Running['progress']): string =>
  [phase, total > 0 ? formatShare(done / total) : ''].filter((part) => part !== '').join(' ');

function CancelQuestion({ asked, onClose }: { asked: Running | null; onClose: () => void }) {
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const close = () => {
    setFailure(null);
    onClose();
  };
  const cancel = async () => {
    if (asked === null) return;
    setFailure(null);
    try {
      await call(api.cancelJob, { params: { company: asked.company, id: asked.id } });
      showSaved('Wird abgebrochen');
      onClose();
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Abbrechen', error));
    }
  };
  return (
    <ConfirmDialog
      opened={asked !== null}
      question="Lauf einer Firma abbrechen?"
      confirm="Abbrechen lassen"
      danger
      onConfirm={cancel}
      onClose={close}
    >
      <ErrorNotice failure={failure} />
      <p>
        {asked?.companyName}: {asked === null ? '' : jobLabel(asked.kind)}. Der bisherige Stand bleibt, wie er ist. Die
        Firma sieht, dass der Lauf abgebrochen wurde, und kann ihn neu starten.
      </p>
    </ConfirmDialog>
  );
}
