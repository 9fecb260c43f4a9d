import { Button } from '@mantine/core';
import IconX from 'virtual:icons/x';
import { type Ref, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { runKinds } from '#shared/runs/words.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { progressWords } from './run-words.ts';

type RunProgressProps = {
  run: Run;
  lost: boolean;
  onChange: (run: Run) => void;
  mayCancel: boolean;
  heading?: Ref<HTMLHeadingElement>;
};

/** A running job: its progress, and a button that stops it. */
export function RunProgress({ run, lost, onChange, mayCancel, heading }: RunProgressProps) {
  const [busy, setBusy] = useState(false);
  const cancel = async () => {
    setBusy(true);
    try {
      onChange(await call(api.cancelRun, { params: { runid: run.runid } }));
    } catch (error) {
      showFailure(failureOf('Fehler beim Abbrechen', error));
    } finally {
      setBusy(false);
    }
  };
  const phase = run.progress.phase === '' ? '' : `: ${run.progress.phase}`;
  return (
    <section className="k-card k-stack" aria-label={`${runKinds[run.kind]} läuft`}>
      <h2 ref={heading} tabIndex={-1}>
        {lost ? `${runKinds[run.kind]}: Status unbekannt, Verbindung wird gesucht …` : `${runKinds[run.kind]} läuft`}
      </h2>
      <span className="k-hidden" role="status">
        {lost ? 'Status unbekannt' : `${runKinds[run.kind]} läuft`}
      </span>
      <ProgressBar
        label={`${runKinds[run.kind]}${phase}`}
        done={run.progress.done}
        total={run.progress.total}
        words={progressWords(run)}
      />
      {mayCancel && (
        <div>
          <Button
            variant="default"
            leftSection={<IconX size={16} aria-hidden />}
            loading={busy}
            onClick={() => void cancel()}
          >
            Abbrechen
          </Button>
        </div>
      )}
    </section>
  );
}
