import { Button, Checkbox } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { BodyOf } from '#shared/http/call.ts';
import { type InstallationUse, jobLabel } from '#shared/operations/installation-use.ts';
import { runStates, runStateNames } from '#shared/runs/words.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showHint, showSaved } from '#client/ui/notices.tsx';
import { Table, type TableColumn } from '#client/ui/table.tsx';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { useFailure } from '#client/use-failure.ts';

type Failed = InstallationUse['failed'][number];
/** Jobs to retry, and their name in the question. */
type RetryRequest = { body: BodyOf<typeof api.retryJobs>; words: string };

/** Jobs that failed in the last day and their outcome; they can be retried singly, by selection, or by kind. */
export function FailedJobs({ failed, retryable }: Pick<InstallationUse, 'failed' | 'retryable'>) {
  const [pendingRetry, setPendingRetry] = useState<RetryRequest | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  if (failed.length === 0) return null;
  const open = failed.filter((job) => job.retryable);
  const selected = open.filter(({ id }) => chosen.has(id));
  const askFor = (jobs: readonly Failed[], words: string) =>
    setPendingRetry({ body: { jobs: jobs.map(({ company, id }) => ({ company, id })) }, words });
  const choose = (jobs: readonly Failed[], on: boolean) => {
    const next = new Set(chosen);
    for (const { id } of jobs)
      if (on) next.add(id);
      else next.delete(id);
    setChosen(next);
  };
  return (
    <section className="k-card k-stack" aria-labelledby="gescheitert">
      <h2 id="gescheitert">Gescheiterte Läufe</h2>
      <p className="k-muted">
        Aus den letzten 24 Stunden, höchstens 50. Nur was zweimal getan werden darf, lässt sich hier erneut versuchen;
        hochgeladene Dateien, Preise und Archive startet die Firma selbst.
      </p>
      {open.length > 0 && (
        <div className="k-row" role="group" aria-labelledby="erneut">
          <span id="erneut">Erneut versuchen:</span>
          <Button
            leftSection={<IconRefresh size={16} aria-hidden />}
            disabled={selected.length === 0}
            onClick={() => askFor(selected, formatCount(selected.length, 'ausgewählter Lauf', 'ausgewählte Läufe'))}
          >
            Ausgewählte ({formatInteger(selected.length)}) …
          </Button>
          {Object.entries(retryable).map(([kind, count]) => (
            <Button
              key={kind}
              variant="default"
              onClick={() =>
                setPendingRetry({ body: { kind }, words: `Alle von „${jobLabel(kind)}“: ${formatInteger(count)}` })
              }
            >
              Alle „{jobLabel(kind)}“ ({formatInteger(count)}) …
            </Button>
          ))}
        </div>
      )}
      <Table
        stacks
        label="Gescheiterte Läufe"
        columns={failedColumns({ chosen, choose, askFor })}
        rows={failed}
        rowId={({ id }) => id}
      />
      <RetryQuestion
        request={pendingRetry}
        onClose={() => setPendingRetry(null)}
        onDone={() => {
          setPendingRetry(null);
          setChosen(new Set());
        }}
      />
    </section>
  );
}

type Choosing = {
  chosen: ReadonlySet<string>;
  choose: (jobs: readonly Failed[], on: boolean) => void;
  askFor: (jobs: readonly Failed[], words: string) => void;
};

const nameOf = (job: Failed): string => `${job.companyName}: ${jobLabel(job.kind)}`;
/** The time tells apart two of a kind of one company. */
const longNameOf = (job: Failed): string =>
  job.failedAt === null ? nameOf(job) : `${nameOf(job)}, ${formatTime(job.failedAt)}`;

const failedColumns = ({ chosen, choose, askFor }: Choosing): readonly TableColumn<Failed>[] => [
  {
    title: 'Auswahl',
    kind: 'action',
    cell: (job) =>
      job.retryable && (
        <Checkbox
          aria-label={`Auswählen: ${longNameOf(job)}`}
          checked={chosen.has(job.id)}
          onChange={({ currentTarget }) => choose([job], currentTarget.checked)}
        />
      ),
  },
  {
    title: 'Lauf',
    kind: 'name',
    cell: ({ companyName, kind }) => (
      <>
        {jobLabel(kind)}
        <div className="k-muted k-small" style={{ overflowWrap: 'anywhere' }}>
          {companyName}
        </div>
      </>
    ),
  },
  {
    title: 'Danach',
    cell: (job) =>
      job.retryable ? (
        <Button
          size="xs"
          variant="default"
          aria-label={`Erneut versuchen: ${longNameOf(job)}`}
          onClick={() => askFor([job], longNameOf(job))}
        >
          Erneut …
        </Button>
      ) : (
        <Retried retried={job.retried} />
      ),
  },
  { title: 'Gescheitert', cell: ({ failedAt }) => (failedAt === null ? '–' : formatTime(failedAt)) },
];

function Retried({ retried }: Pick<Failed, 'retried'>) {
  if (retried === null) return '–';
  const state = runStateNames.find((known) => known === retried.state);
  return (
    <>
      {state === undefined ? 'erneut versucht' : `erneut versucht: ${runStates[state]}`}
      <div className="k-muted k-small">
        {retried.by}, {formatTime(retried.at)}
      </div>
    </>
  );
}

type RetryQuestionProps = { request: RetryRequest | null; onClose: () => void; onDone: () => void };

function RetryQuestion({ request, onClose, onDone }: RetryQuestionProps) {
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const close = () => {
    setFailure(null);
    onClose();
  };
  const retry = async () => {
    if (request === null) return;
    setFailure(null);
    try {
      const { started, refused } = await call(api.retryJobs, { body: request.body });
      const [first] = refused;
      const done = `${formatCount(started, 'Lauf', 'Läufe')} erneut gestartet`;
      if (first === undefined) showSaved(done);
      else showHint(`${done}, ${formatInteger(refused.length)} nicht: ${first.message}`);
      onDone();
    } catch (error) {
      setFailure(failureOf('Fehler beim Starten', error));
    }
    await revalidate();
  };
  return (
    <ConfirmDialog
      opened={request !== null}
      question="Erneut versuchen?"
      confirm="Erneut versuchen"
      onConfirm={retry}
      onClose={close}
    >
      <ErrorNotice failure={failure} />
      <p>
        {request?.words}. Jeder Lauf beginnt von vorn, mit den Einstellungen und Daten von heute. Der gescheiterte
        bleibt im Verlauf der Firma stehen, der neue nennt Ihren Namen, und es steht im Sicherheitsprotokoll.
      </p>
    </ConfirmDialog>
  );
}
